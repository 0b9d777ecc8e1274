// What other rooms may ask of the driver's inner parts. Gates, turns and steps are imported from nowhere else.
export { prepareWorkspace } from "../gates/prepare.ts";
export { learn, learnFromEnded } from "../steps/learn.ts";
export { buildWholeReport } from "../steps/report.ts";
export { hashLockedArtifacts } from "../turns/artifact-lock.ts";
export { buildTurnPrompt, type PromptOptions } from "../turns/prompt/build.ts";
export { chooseAdapter } from "../turns/prompt/request.ts";
export { putBack } from "../turns/snapshot.ts";
