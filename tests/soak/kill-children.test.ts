// Two tasks side by side, killed at crash points of the parent, of its children and of what they start: every child is
// made once, reports once, and is merged once.
import { expect, test } from "vitest";
import { campaign, closing, spread } from "../faults/campaign.ts";
import { callProblems, sideBySide } from "../faults/stories.ts";
import { outcomeOf } from "../faults/verdict.ts";
import { play } from "../faults/whole-bubble.ts";

const samples = 80;
const hour = 3_600_000;

test("killed at a crash point and carried on, children come back as if nobody had been killed", {
  timeout: 3 * hour,
}, async () => {
  const calm = await play({ story: sideBySide });
  const expected = outcomeOf(calm);
  expect(await closing(calm, expected)).toEqual([]);
  expect(expected.bubbles).toEqual(["b1", "b1-cart", "b1-shop"]);
  const plays = spread(calm.points, samples).map((crashAt) => ({ story: sideBySide, crashAt }));
  const { killedAt, failures } = await campaign("children", plays, expected, callProblems);
  process.stderr.write(
    `children: ${calm.points.length} crash points; ${samples} runs were killed, at ${killedAt.size} names; ${failures.length} ended otherwise\n`,
  );
  expect(failures.join("\n\n")).toBe("");
});
