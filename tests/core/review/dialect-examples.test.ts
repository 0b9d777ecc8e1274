// The examples that prompts show are true: what each cites stands in the tree that it is about.
import { describe, expect, it } from "vitest";
import { dialects } from "../../../src/core/model/verdict.ts";
import { typedPlaces } from "../../../src/core/review/citations.ts";
import { reviewClaim } from "../../../src/core/review/claim.ts";
import { exampleReviews, exampleTrees } from "../../../src/core/review/dialect/examples.ts";
import { readForm } from "../../../src/core/review/dialect/index.ts";
import { placeProblem } from "../../../src/core/review/evidence/lookup.ts";

describe.each(dialects)("the examples of the dialect %s", (dialect) => {
  it.each(["approving", "rejecting"] as const)("cite what stands in their own tree: %s", (which) => {
    const read = readForm(dialect, exampleReviews(dialect)[which]);
    if (!read.ok) throw new Error(read.problems.join("; "));
    const places = typedPlaces(reviewClaim(read.verdict));
    expect(places.length).toBeGreaterThan(0);
    const tree = exampleTrees[which];
    const trees = { now: (file: string) => tree[file], before: () => undefined, isRule: () => false };
    for (const place of places) {
      expect(place.quote).toBeTruthy();
      expect(placeProblem(place, trees)).toBeUndefined();
    }
  });
});
