// The explanation a producer hands in with its work; the referee adds files, gates and findings to it.
import * as v from "valibot";

/** Characters of one part, by any author. */
export const longestPackagePart = 4000;

const definePart = (about: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.maxLength(longestPackagePart), v.description(about)));

export const ProducerPackage = v.strictObject({
  what: definePart("what changed"),
  why: definePart("why"),
  risks: definePart("tradeoffs and residual risks"),
  test_plan: definePart("how to try it by hand"),
  commit_message: definePart("suggested commit message"),
});
export type ProducerPackage = v.InferOutput<typeof ProducerPackage>;

export const packageParts = ["what", "why", "risks", "test_plan", "commit_message"] as const;
export type PackagePart = (typeof packageParts)[number];

type FlagName<P extends string> = P extends `${infer A}_${infer B}` ? `${A}-${B}` : P;

/** The flag that gives a part on a command line. */
export const getPartFlag = (part: PackagePart) => part.replace("_", "-") as FlagName<PackagePart>;

/** The parts still empty; an empty list means the package is complete. */
export function listMissingPackageParts(pack: ProducerPackage | undefined): PackagePart[] {
  return packageParts.filter((part) => !pack?.[part]);
}
