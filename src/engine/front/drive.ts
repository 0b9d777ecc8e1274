// The loop, for whoever drives a bubble, and its first effect, for whoever starts one.
export { drive } from "../drive/driver.ts";
export { endStrayWork, prepareFirst } from "../drive/place.ts";
export type { DriveOptions } from "../drive/round.ts";
