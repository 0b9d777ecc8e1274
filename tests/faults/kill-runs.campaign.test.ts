// Runs of workflows, killed at one crash point after the other and carried on each time. In `npm test` at a few of the
// points; with PAIRFLOW_SOAK=1 at every one.
import { expect, test } from "vitest";
import { campaign, closing, spread } from "./campaign.ts";
import { pipelineRun, topicRun } from "./plan-stories.ts";
import { callProblems, pairedTasks, planned } from "./stories.ts";
import { outcomeOf } from "./verdict.ts";
import { play } from "./whole-bubble.ts";

const soak = process.env.PAIRFLOW_SOAK === "1";
/** Runs with several phases are killed in each of them. */
const sampleSize = 2;
const phasedSampleSize = 2;
const hour = 3_600_000;

test.each([
  ["two tasks of a pair", { story: pairedTasks }, 150, sampleSize],
  ["plan-and-execute with one retry", { story: planned }, 100, sampleSize],
  ["the pipeline, from its request to its signature", { story: pipelineRun }, 250, phasedSampleSize],
  ["a topic that becomes a plan, tasks and one tree", { story: topicRun }, 200, phasedSampleSize],
])(
  "killed at any crash point and carried on, %s end as if nobody had been killed",
  {
    timeout: soak ? 8 * hour : 240_000,
  },
  async (name, playing, atLeast, sample) => {
    const calm = await play(playing);
    const expected = outcomeOf(calm);
    const calls = callProblems(calm);
    expect([...(await closing(calm, expected)), ...calls]).toEqual([]);
    const total = calm.points.length;
    expect(total, calm.points.join("\n")).toBeGreaterThanOrEqual(atLeast);
    expect(expected.protocol.filter((line) => line.startsWith("RUN_RESULT"))).toHaveLength(1);

    const plays = spread(calm.points, soak ? total : sample).map((crashAt) => ({ ...playing, crashAt }));
    const { runs, killedAt, failures } = await campaign(name, plays, expected, callProblems);
    process.stderr.write(
      `${name}: ${total} crash points; ${runs} runs were killed, at ${killedAt.size} names; ${failures.length} ended otherwise\n`,
    );
    expect(failures.join("\n\n")).toBe("");
  },
);
