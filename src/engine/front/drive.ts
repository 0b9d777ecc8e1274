// The loop, for commands that drive a bubble, and its first effect, for those that start one.
export { drive } from "../drive/driver.ts";
export { endStrayWork, prepareFirst } from "../drive/place.ts";
export type { DriveOptions } from "../drive/round.ts";
