// The kill campaign in panes: tmux starts a killed driver again by itself, the operator does the rest.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { campaign, closing, spread } from "../faults/campaign.ts";
import { outcomeOf } from "../faults/verdict.ts";
import { bubble, play } from "../faults/whole-bubble.ts";

const samples = 60;
const hour = 3_600_000;

test("killed at a crash point in panes and carried on, a bubble ends as if nobody had been killed", {
  timeout: hour,
}, async () => {
  const calm = await play({ inPanes: true });
  const expected = outcomeOf(calm);
  const { socket } = calm.tool;
  await expect
    .poll(() => spawnSync("tmux", ["-L", socket, "has-session", "-t", `=pf-${bubble}`]).status, {
      timeout: 10_000,
    })
    .not.toBe(0);
  expect(await closing(calm, expected)).toEqual([]);
  const plays = spread(calm.points.length, samples).map((crashAt) => ({ crashAt, inPanes: true }));
  const { killedAt, failures } = await campaign("panes", plays, expected);
  process.stderr.write(
    `${samples} runs in panes were killed, at ${killedAt.size} names; ${failures.length} ended otherwise\n`,
  );
  expect(failures.join("\n\n")).toBe("");
});
