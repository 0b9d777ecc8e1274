// Lines that only the log itself shows: whatever happens in a bubble, every picture of it is the same without them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildGraphView } from "../../../../src/core/views/page/graph.ts";
import { isSilent } from "../../../../src/core/views/page/log.ts";
import { buildPromptRows } from "../../../../src/core/views/page/papers.ts";
import { buildFindingLives } from "../../../../src/core/views/page/review/findings.ts";
import { buildRoundsView } from "../../../../src/core/views/page/rounds.ts";
import { buildReviewTrail } from "../../../../src/core/views/review/trail.ts";
import { type Played, playOut, rolls } from "../../workflow-histories.ts";

const drawAll = ({ state }: Played, log: Played["log"]) => ({
  rounds: buildRoundsView(log, buildReviewTrail(log)),
  findings: buildFindingLives(log, state),
  graph: buildGraphView(state, log),
  prompts: buildPromptRows(log),
});

describe("silent lines", () => {
  it.each(["subtasks", "timed", "phased", "waves"])("say nothing in any picture of %s", (name) => {
    let left = 0;
    fc.assert(
      fc.property(rolls, (dice) => {
        const played = playOut(name, dice);
        const telling = played.log.filter((line) => !isSilent(line));
        left += played.log.length - telling.length;
        expect(drawAll(played, telling)).toEqual(drawAll(played, played.log));
      }),
      { numRuns: 10, endOnFailure: true },
    );
    expect(left).toBeGreaterThan(0);
  });
});
