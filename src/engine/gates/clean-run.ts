// Gates on a clean checkout: what they say, and whether they changed what they judge. Shared by the run that an approval
// rests on and the one on the untouched base.

import { killedFirst } from "../../core/judge/gate-runs.ts";
import type { State } from "../../core/model/state.ts";
import { placeOf, type World } from "../world/world.ts";
import type { Ready } from "./clean-checkout.ts";
import type { GateRun } from "./gate-list.ts";
import type { RanGate } from "./gate-run.ts";
import { runAll } from "./gates.ts";

export interface CleanRun {
  readonly ran: readonly RanGate[];
  readonly clean: Ready["clean"];
  /** Files of the tree that the gates changed. */
  readonly changed: readonly string[];
}

export interface CleanJob {
  readonly ready: Ready;
  readonly tree: string;
  readonly gates: readonly GateRun[];
  readonly signal: AbortSignal;
}

/** Nothing runs where the checkout could not be made ready. */
export async function runOnClean(world: World, state: State, job: CleanJob): Promise<CleanRun> {
  const { ready, tree, gates, signal } = job;
  const { root, clean } = ready;
  if (clean.problem || signal.aborted) return { ran: [], clean, changed: [] };
  const ran = await runTwiceIfKilled(world, state, { list: { gates }, tree, root }, signal);
  if (signal.aborted) return { ran, clean, changed: [] };
  const changed = await world.workspace.clean.changed(placeOf(world, state), root, tree);
  return { ran, clean, changed };
}

/** What the gates printed, or why none of them ran. */
export function logOf({ ran, clean }: Pick<CleanRun, "ran" | "clean">): string {
  return ran.map(({ log }) => log).join("\n") || `${clean.problem ?? "nothing to run"}\n`;
}

/** A gate that somebody killed has said nothing: it runs once more before anybody is told. */
async function runTwiceIfKilled(
  world: World,
  state: State,
  what: Parameters<typeof runAll>[2],
  signal: AbortSignal,
): Promise<RanGate[]> {
  const ran = await runAll(world, state, what, signal);
  const killed = killedFirst(
    state,
    undefined,
    ran.map(({ result }) => result),
  );
  if (killed.length === 0 || signal.aborted) return ran;
  const gates = what.list.gates.filter(({ name }) => killed.includes(name));
  const again = await runAll(world, state, { ...what, list: { gates } }, signal);
  return ran.map((one) => again.find(({ result }) => result.name === one.result.name) ?? one);
}
