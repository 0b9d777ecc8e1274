// Every question of every history offers exactly answers that the referee accepts, and one of them leads on.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { badOptions } from "../question-options.ts";
import { beginnings, playOut, rolls } from "../workflow-histories.ts";

const soak = process.env.PAIRFLOW_SOAK === "1" ? 40 : 1;

describe.each(Object.keys(beginnings))("the questions of any history of %s", (name) => {
  it("offer only answers that are accepted, and always one that ends the bubble or hands the work over", () => {
    fc.assert(
      fc.property(rolls, (dice) => {
        for (const { state } of playOut(name, dice).steps) expect(badOptions(state)).toEqual([]);
      }),
      { numRuns: 10 * soak, endOnFailure: true },
    );
  });
});
