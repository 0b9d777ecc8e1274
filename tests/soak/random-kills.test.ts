// Drivers killed at random moments, several in one bubble, also in the middle of a system call: what no list of
// points foresees.
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Rig } from "../acceptance/rig.ts";
import { campaign, closing } from "../faults/campaign.ts";
import { outcomeOf } from "../faults/verdict.ts";
import { bubble, play } from "../faults/whole-bubble.ts";

const bubbles = 40;
const killsEach = 6;
const hour = 3_600_000;

test("however often its driver is killed at random moments, a bubble ends as if nobody had been killed", {
  timeout: hour,
}, async () => {
  const calm = await play();
  const expected = outcomeOf(calm);
  expect(await closing(calm, expected)).toEqual([]);
  let kills = 0;
  const plays = Array.from({ length: bubbles }, (_, seed) => ({
    beside: (tool: Rig) => killer(tool, random(seed + 1), () => (kills += 1)),
  }));
  const { failures } = await campaign("random kills", plays, expected);
  process.stderr.write(
    `${kills} drivers of ${bubbles} bubbles were killed at random; ${failures.length} bubbles ended otherwise\n`,
  );
  expect(kills).toBeGreaterThan(bubbles);
  expect(failures.join("\n\n")).toBe("");
});

/** Kills whoever drives, after a random time each, until it has done so often enough. */
function killer(tool: Rig, chance: () => number, killed: () => void): () => void {
  let left = killsEach;
  let timer: NodeJS.Timeout | undefined;
  const strike = () => {
    const beat = join(tool.repo, ".pairflow", "runtime", `${bubble}.beat.json`);
    const pid = existsSync(beat) ? pidIn(readFileSync(beat, "utf8")) : undefined;
    if (pid && kill(pid, tool.folder)) {
      left -= 1;
      killed();
    }
    if (left > 0) timer = setTimeout(strike, 50 + chance() * 1200);
  };
  strike();
  return () => clearTimeout(timer);
}

function pidIn(beat: string): number | undefined {
  return Number(/"pid":(\d+)/.exec(beat)?.[1]) || undefined;
}

/** A beat outlives its driver: a pid that is gone, or that runs elsewhere than in this rig, is left alone. */
function kill(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) && process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** A small generator of numbers between 0 and 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed * 2654435769;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
