// The explanation a producer hands in with its work; the referee adds files, gates and findings to it.
import * as v from "valibot";

/** Characters of one part, whoever wrote it. */
export const longestPackagePart = 4000;

const part = (max: number) => v.optional(v.pipe(v.string(), v.trim(), v.maxLength(max)));

export const ProducerPackage = v.strictObject({
  what: part(longestPackagePart),
  why: part(longestPackagePart),
  risks: part(longestPackagePart),
  test_plan: part(longestPackagePart),
  commit_message: part(longestPackagePart),
});
export type ProducerPackage = v.InferOutput<typeof ProducerPackage>;

export const packageParts = ["what", "why", "risks", "test_plan", "commit_message"] as const;
export type PackagePart = (typeof packageParts)[number];

/** The parts still empty; an empty list means the package is complete. */
export function missingParts(pack: ProducerPackage | undefined): PackagePart[] {
  return packageParts.filter((part) => !pack?.[part]);
}
