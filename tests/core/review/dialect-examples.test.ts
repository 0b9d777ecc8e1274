// The examples that prompts show are true: what each cites stands in the tree that it is about.
import { describe, expect, it } from "vitest";
import { dialects } from "../../../src/core/model/review/verdict.ts";
import { listTypedLocations } from "../../../src/core/review/citations.ts";
import { reviewClaim } from "../../../src/core/review/claim.ts";
import { buildExampleReviews, exampleTrees } from "../../../src/core/review/dialect/examples.ts";
import { readForm } from "../../../src/core/review/dialect/read.ts";
import { checkCitation } from "../../../src/core/review/evidence/lookup.ts";

describe.each(dialects)("the examples of the dialect %s", (dialect) => {
  it.each(["approving", "rejecting"] as const)("cite what stands in their own tree: %s", (which) => {
    const read = readForm(dialect, buildExampleReviews(dialect)[which]);
    if (!read.ok) throw new Error(read.problems.join("; "));
    const places = listTypedLocations(reviewClaim(read.verdict));
    expect(places.length).toBeGreaterThan(0);
    const tree = exampleTrees[which];
    const trees = { now: (file: string) => tree[file], before: () => undefined, isRule: () => false };
    for (const place of places) {
      expect(place.quote).toBeTruthy();
      expect(checkCitation(place, trees)).toBeUndefined();
    }
  });
});
