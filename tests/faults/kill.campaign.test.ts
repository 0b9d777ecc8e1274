// A whole bubble, killed at one crash point after the other and carried on each time. In `npm test` at a spread
// sample of the points; in `npm run soak` at every one.
import { expect, test } from "vitest";
import { campaign, closing, spread } from "./campaign.ts";
import { outcomeOf } from "./verdict.ts";
import { play } from "./whole-bubble.ts";

const soak = process.env.PAIRFLOW_SOAK === "1";
const sampleSize = 2;
const hour = 3_600_000;

test("killed at any crash point and carried on, a bubble ends as if nobody had been killed", {
  timeout: soak ? 6 * hour : 180_000,
}, async () => {
  const calm = await play();
  const expected = outcomeOf(calm);
  const total = calm.points.length;
  expect(await closing(calm, expected)).toEqual([]);
  expect(total, calm.points.join("\n")).toBeGreaterThanOrEqual(100);

  const plays = spread(calm.points, soak ? total : sampleSize).map((crashAt) => ({ crashAt }));
  const { runs, killedAt, failures } = await campaign("headless", plays, expected);
  process.stderr.write(
    `a whole bubble passes ${total} crash points; ${runs} runs were killed, at ${killedAt.size} names; ${failures.length} ended otherwise\n`,
  );
  expect(failures.join("\n\n")).toBe("");
});
