// Honest and lying evidence over generated trees: no lie approves, no honest evidence is refused. A sample; the long
// campaign is in tests/soak.
import { expect, it } from "vitest";
import { grown, honestEvidence, lyingEvidence, refusedWith } from "../evidence-generated.ts";
import { chance } from "../fuzz-dice.ts";

const runs = Array.from({ length: 400 }, (_, seed) => chance(7000 + seed));

it("no honest evidence is refused", () => {
  for (const dice of runs) {
    const tree = grown(dice);
    const evidence = honestEvidence(dice, tree);
    expect(refusedWith(tree, evidence), JSON.stringify(evidence)).toBeUndefined();
  }
});

it("no lie approves", () => {
  for (const dice of runs) {
    const tree = grown(dice);
    const evidence = lyingEvidence(dice, tree);
    expect(refusedWith(tree, evidence), JSON.stringify(evidence)).toBe("review.evidence");
  }
});
