// Whether the path of the worktree decides what gates say: some programs refuse to work below a folder whose name begins
// with a dot. Gates that are green on a clean checkout run once in the worktree of the same tree, and never again once
// a worktree in that folder was found to be no hindrance.

import { isGreen } from "../../../core/judge/convergence.ts";
import { isBelowDot } from "../../../core/judge/gate-runs/base.ts";
import type { GateResult } from "../../../core/model/gate.ts";
import type { State } from "../../../core/model/state.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";
import { restoreTree, runAll } from "../run.ts";

interface Judged {
  readonly tree: string;
  /** What the gates said on a clean checkout of it. */
  readonly results: readonly GateResult[];
}

/** The names of gates that are green on the clean checkout and red here. */
export async function findGatesRedInWorktree(
  world: World,
  state: State,
  { tree, results }: Judged,
  signal: AbortSignal,
): Promise<string[]> {
  const place = getWorkspacePlace(world, state);
  const green = new Set(results.filter(({ status }) => status === "passed").map(({ name }) => name));
  const gates = state.profile.gates
    .filter(({ name, isolated }) => green.has(name) && !isolated)
    .map(({ trigger: _any, ...gate }) => gate);
  if (gates.length === 0 || !isBelowDot(place.path)) return [];
  const key = getKey(world, state, gates);
  const isKnown = (await world.baseRuns.get(key)) !== undefined;
  if (isKnown || (await world.workspace.treeId(place)) !== tree) return [];
  const run = async (wanted: readonly string[]) => {
    const list = { gates: gates.filter(({ name }) => wanted.includes(name)) };
    const ran = await runAll(world, state, { list, tree }, signal);
    if (!signal.aborted) await restoreTree(world, state, tree, "base");
    return ran.map(({ result }) => result).filter((result) => !isGreen(result));
  };
  const red = await run(gates.map(({ name }) => name));
  // What fails once may be flaky; what ran out of time would do so again.
  const slow = red.filter(({ status }) => status === "timeout").map(({ name }) => name);
  const others = red.filter(({ status }) => status !== "timeout").map(({ name }) => name);
  const again = others.length > 0 && !signal.aborted ? await run(others) : [];
  const misplaced = [...slow, ...again.map(({ name }) => name)];
  if (misplaced.length === 0 && !signal.aborted) await world.baseRuns.put(key, "the path is no hindrance");
  return misplaced;
}

/** The folder of all worktrees, and everything but the tree that may make the gates say something else. */
function getKey(world: World, state: State, gates: State["profile"]["gates"]): string {
  const { setup = "" } = state.config;
  const folder = getWorkspacePlace(world, state).path.split("/").slice(0, -1).join("/");
  const around = world.baseRuns.surroundings([...gates.map(({ command }) => command), setup]);
  return world.hash.sha256(JSON.stringify(["place", folder, gates, setup, around]));
}
