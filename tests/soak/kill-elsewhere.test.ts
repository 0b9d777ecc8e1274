// The kill campaign where the campaign of every point does not go: in panes, where tmux starts a killed driver again
// by itself, and in a full clone, which is made and committed from otherwise.
import { expect, test } from "vitest";
import { campaign, closing, spread } from "../faults/campaign.ts";
import { outcomeOf } from "../faults/verdict.ts";
import { type Playing, play } from "../faults/whole-bubble.ts";

const samples = 60;
const hour = 3_600_000;
const places: Record<string, Playing> = {
  "in panes": { inPanes: true },
  "in a full clone": { created: ["--mode", "clone"] },
};

test.each(Object.entries(places))(
  "killed at a crash point %s and carried on, a bubble ends as if nobody had been killed",
  {
    timeout: 2 * hour,
  },
  async (where, playing) => {
    const calm = await play(playing);
    const expected = outcomeOf(calm);
    expect(await closing(calm, expected)).toEqual([]);
    const plays = spread(calm.points, samples).map((crashAt) => ({ ...playing, crashAt }));
    const { killedAt, failures } = await campaign(where, plays, expected);
    process.stderr.write(
      `${where}: ${calm.points.length} crash points; ${samples} runs were killed, at ${killedAt.size} names; ${failures.length} ended otherwise\n`,
    );
    expect(failures.join("\n\n")).toBe("");
  },
);
