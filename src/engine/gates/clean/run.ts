// Gates on a clean checkout: what they say, and whether they changed what they judge. Shared by the run that an approval
// rests on and the one on the untouched base.

import { listFirstKilled } from "../../../core/judge/gate-runs/repeated.ts";
import type { State } from "../../../core/model/state.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";
import type { RanGate } from "../gate.ts";
import type { GateRun } from "../list.ts";
import { runAll } from "../run.ts";
import type { Ready } from "./checkout.ts";

export interface CleanRunResult {
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
export async function runOnClean(world: World, state: State, job: CleanJob): Promise<CleanRunResult> {
  const { ready, tree, gates, signal } = job;
  const { root, clean } = ready;
  if (clean.problem || signal.aborted) return { ran: [], clean, changed: [] };
  const ran = await runTwiceIfKilled(world, state, { list: { gates }, tree, root }, signal);
  if (signal.aborted) return { ran, clean, changed: [] };
  const changed = await world.workspace.clean.changed(getWorkspacePlace(world, state), root, tree);
  return { ran, clean, changed };
}

/** What the gates printed, or why none of them ran. */
export function renderRunLog({ ran, clean }: Pick<CleanRunResult, "ran" | "clean">): string {
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
  const killed = listFirstKilled(
    state,
    undefined,
    ran.map(({ result }) => result),
  );
  if (killed.length === 0 || signal.aborted) return ran;
  const gates = what.list.gates.filter(({ name }) => killed.includes(name));
  const again = await runAll(world, state, { ...what, list: { gates } }, signal);
  return ran.map((one) => again.find(({ result }) => result.name === one.result.name) ?? one);
}
