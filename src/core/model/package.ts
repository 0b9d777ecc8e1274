// The explanation a producer hands in with its work; the referee adds files, gates and findings to it.
import * as v from "valibot";

const part = (max: number) => v.optional(v.pipe(v.string(), v.trim(), v.maxLength(max)));

export const ProducerPackage = v.strictObject({
  what: part(4000),
  why: part(4000),
  risks: part(4000),
  test_plan: part(4000),
  commit_message: part(4000),
});
export type ProducerPackage = v.InferOutput<typeof ProducerPackage>;

export const packageParts = ["what", "why", "risks", "test_plan", "commit_message"] as const;
export type PackagePart = (typeof packageParts)[number];

/** The parts still empty; an empty list means the package is complete. */
export function missingParts(pack: ProducerPackage | undefined): PackagePart[] {
  return packageParts.filter((part) => !pack?.[part]);
}
