// What other rooms may ask of the driver's inner parts. Gates, turns and steps are imported from nowhere else.
export { prepare } from "../gates/prepare.ts";
export { learn, learnFromEnded } from "../steps/learn.ts";
export { wholeReportOf } from "../steps/report.ts";
export { briefingFor, type Telling } from "../turns/brief.ts";
export { lockedIn } from "../turns/lock.ts";
export { adapterOf } from "../turns/request.ts";
export { putBack } from "../turns/snapshot.ts";
