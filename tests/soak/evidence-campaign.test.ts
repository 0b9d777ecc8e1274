// The long campaign over honest and lying evidence: other trees and other sentences than the sample in the usual tests.
import { expect, it } from "vitest";
import { grown, honestEvidence, lyingEvidence, refusedWith } from "../core/evidence-generated.ts";
import { chance } from "../core/fuzz-dice.ts";

const count = 50_000;
const hour = 3_600_000;

it("no lie approves, and no honest evidence is refused", { timeout: hour }, () => {
  for (let seed = 0; seed < count; seed++) {
    const dice = chance(1_000_000 + seed);
    const tree = grown(dice);
    const [honest, lying] = [honestEvidence(dice, tree), lyingEvidence(dice, tree)];
    expect(refusedWith(tree, honest), `${seed} ${JSON.stringify(honest)}`).toBeUndefined();
    expect(refusedWith(tree, lying), `${seed} ${JSON.stringify(lying)}`).toBe("review.evidence");
  }
});
