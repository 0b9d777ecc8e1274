// The loop, for whoever drives a bubble, and its first effect, for whoever starts one.
export { type DriveOptions, drive } from "../drive/driver.ts";
export { endStrayWork, prepareFirst } from "../drive/place.ts";
