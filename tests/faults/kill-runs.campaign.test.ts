// Runs of workflows, killed at one crash point after the other and carried on each time. In `npm test` the two shorter stories at one
// point in the middle of each; in `npm run soak` all of them at every point.
import { expect, test } from "vitest";
import { campaign, closing, spread } from "./campaign.ts";
import { pipelineRun, topicRun } from "./plan-stories.ts";
import { callProblems, pairedTasks, planned } from "./stories.ts";
import { outcomeOf } from "./verdict.ts";
import { play } from "./whole-bubble.ts";

const soak = process.env.PAIRFLOW_SOAK === "1";
const hour = 3_600_000;

const short = [
  ["two tasks of a pair", { story: pairedTasks }, 150],
  ["plan-and-execute with one retry", { story: planned }, 100],
] as const;
const long = [
  ["the pipeline, from its request to its signature", { story: pipelineRun }, 250],
  ["a topic that becomes a plan, tasks and one tree", { story: topicRun }, 200],
] as const;

test.each(soak ? [...short, ...long] : short)(
  "killed at any crash point and carried on, %s end as if nobody had been killed",
  {
    timeout: soak ? 8 * hour : 240_000,
  },
  async (name, playing, atLeast) => {
    const calm = await play(playing);
    const expected = outcomeOf(calm);
    const calls = callProblems(calm);
    expect([...(await closing(calm, expected)), ...calls]).toEqual([]);
    const total = calm.points.length;
    expect(total, calm.points.join("\n")).toBeGreaterThanOrEqual(atLeast);
    expect(expected.protocol.filter((line) => line.startsWith("RUN_RESULT"))).toHaveLength(1);

    const chosen = soak ? spread(calm.points, total) : spread(calm.points, 2).slice(1);
    const plays = chosen.map((crashAt) => ({ ...playing, crashAt }));
    const { runs, killedAt, failures } = await campaign(name, plays, expected, callProblems);
    process.stderr.write(
      `${name}: ${total} crash points; ${runs} runs were killed, at ${killedAt.size} names; ${failures.length} ended otherwise\n`,
    );
    expect(failures.join("\n\n")).toBe("");
  },
);
