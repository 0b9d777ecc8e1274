// An attempt that prints without end. What it printed is replayed from its file, so nothing of it may be left out; beyond a
// bound the process is ended instead, and the file cut to what the bound allows.
import type { Turn } from "../../core/model/state/turn.ts";
import type { TurnTrouble } from "../../core/model/turn-end.ts";
import type { World } from "../world/world.ts";

/** What one attempt may print, on standard output and on standard error. A long turn of a large CLI prints a few of it. */
const mostBytes = 64 * 1024 * 1024;

/** Standard error of a turn without a terminal, beside its output. */
export const getErrorFile = (output: string): string => `${output}.err`;

/** Ends the attempt if it has printed too much, and says so. */
export async function endFlood(world: World, turn: Turn, work: string): Promise<TurnTrouble | undefined> {
  const files = turn.output === undefined ? [] : [turn.output, getErrorFile(turn.output)];
  for (const file of files) {
    if ((await world.scratch.size(file)) <= mostBytes) continue;
    await world.seats.end(work);
    for (const one of files) await world.scratch.cut(one, mostBytes);
    const detail = `it printed more than ${mostBytes / 1024 / 1024} MiB and was ended; the beginning is in ${file}`;
    return { outcome: "too-much-output", detail };
  }
  return undefined;
}
