// The gates on a clean checkout of the base, before any agent is started. What they say is kept for the next bubble on
// the same base; what is green there and red in the worktree of the same tree is reported separately.
import { isWorthKeeping, type KeptRun, readKeptRun } from "../../../core/gates/cached-run.ts";
import { mayLackNetwork } from "../../../core/gates/output/network-hint.ts";
import { isGreen } from "../../../core/judge/convergence.ts";
import { baseGatesName } from "../../../core/model/record/artifact-names.ts";
import type { State } from "../../../core/model/state.ts";
import { type Job, report } from "../../handle/job.ts";
import { isGitKnown } from "../../watch/git.ts";
import { keepNetworkNeed } from "../../world/network-needs.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";
import { createLiveBoard } from "../live-board.ts";
import { runAll } from "../run.ts";
import { runSetup } from "../setup.ts";
import { describeSetupFailure, runInCleanCheckout } from "./checkout.ts";
import { findGatesRedInWorktree } from "./location-check.ts";
import { type CleanJob, type CleanRunResult, renderRunLog, runOnClean } from "./run.ts";

interface BaseRun extends Omit<KeptRun, "ran_at"> {
  /** When it was made, where that was for an earlier bubble. */
  readonly ranAt?: string;
  readonly changed: readonly string[];
}

export async function runBaseGates(job: Job, tree: string): Promise<void> {
  const { world, state, driver, signal } = job;
  if (!(await isGitKnown(world, state, driver))) return;
  const run = (await prepareFirst(world, state, signal)) ?? (await reuseOrRun(world, state, tree, signal));
  if (signal.aborted) return;
  const { results, clean, changed, ranAt, needs_network: needy = [] } = run;
  const misplaced = await findGatesRedInWorktree(world, state, { tree, results }, signal);
  if (signal.aborted) return;
  const { name: output } = await world.records.put(state.bubbleId, baseGatesName, run.log);
  world.crashPoint("base.output");
  await report(job, {
    type: "base-gates-ran",
    tree,
    results,
    changed: [...changed],
    output,
    clean,
    base: {
      ...(ranAt ? { ran_at: ranAt } : {}),
      ...(misplaced.length > 0 ? { red_in_worktree: misplaced } : {}),
      ...(needy.length > 0 ? { needs_network: needy } : {}),
    },
  });
}

/** A worktree whose setup failed is set up first; undefined when it is ready. */
async function prepareFirst(world: World, state: State, signal: AbortSignal): Promise<BaseRun | undefined> {
  if (!state.workspace?.problem) return undefined;
  const board = createLiveBoard(world, state.bubbleId);
  const cwd = getWorkspacePlace(world, state).path;
  const failed = await runSetup(world, state, { cwd, name: "setup", signal, board });
  if (!failed) return undefined;
  const problem = await describeSetupFailure(world, failed);
  return { results: [], clean: { included: [], problem }, changed: [], log: `${problem}\n` };
}

async function reuseOrRun(world: World, state: State, tree: string, signal: AbortSignal): Promise<BaseRun> {
  const key = await getKey(world, state, tree);
  const kept = readKeptRun(await world.baseRuns.get(key));
  if (kept) return { ...kept, ranAt: kept.ran_at, changed: [] };
  const ranAt = world.clock.now();
  // Nothing has changed yet: a gate that looks at certain files only would not run at all.
  const gates = state.profile.gates.map(({ trigger: _any, ...gate }) => gate);
  const run = await runInCleanCheckout(world, state, { tree, signal }, async (ready) => {
    const job = { ready, tree, gates, signal };
    const ran = await runOnClean(world, state, job);
    return { ...ran, needy: await findGatesNeedingNetwork(world, state, job, ran) };
  });
  const { clean, changed, needy } = run;
  const needs = needy.length > 0 ? { needs_network: needy } : {};
  const results = run.ran.map(({ result }) => result);
  const log = renderRunLog(run);
  world.crashPoint("base.ran");
  if (!signal.aborted && changed.length === 0 && isWorthKeeping(results, clean))
    await world.baseRuns.put(
      key,
      JSON.stringify({ ran_at: ranAt, results, clean, log, ...needs } satisfies KeptRun),
    );
  return { results, clean, log, changed, ...needs };
}

/** Everything that may make the gates say something else. */
async function getKey(world: World, state: State, tree: string): Promise<string> {
  const { profile, config } = state;
  const { setup = "" } = config;
  const included = await world.workspace.clean.includable(getWorkspacePlace(world, state));
  const around = world.baseRuns.surroundings([...profile.gates.map(({ command }) => command), setup]);
  const sandbox = [(await world.sandboxes.state()).kind, config.sandbox_home ?? []];
  return world.hash.sha256(JSON.stringify(["base", tree, profile.gates, setup, included, around, sandbox]));
}

// Whether gates that are red on the untouched base are red only because their sandbox has no network: they run once more
// with it, on the same checkout. No agent has written anything there yet. What is found is kept for the next bubble,
// whose confirmation screen proposes it.
const isWorthTrying = ({ result, log }: CleanRunResult["ran"][number]) =>
  result.sandbox !== "none" && !isGreen(result) && mayLackNetwork(result.duration_ms, log);

/** The names of gates that are red without the network and green with it. */
async function findGatesNeedingNetwork(
  world: World,
  state: State,
  { ready, tree, gates, signal }: CleanJob,
  { ran, changed }: CleanRunResult,
): Promise<string[]> {
  const red = new Set(ran.filter(isWorthTrying).map(({ result }) => result.name));
  const tried = gates.filter(({ name, network, skip }) => red.has(name) && !network && skip === undefined);
  if (tried.length === 0 || changed.length > 0 || signal.aborted) return [];
  const green = async (list: CleanJob["gates"]): Promise<readonly string[]> => {
    const again = await runAll(world, state, { list: { gates: list }, tree, root: ready.root }, signal);
    return again.flatMap(({ result }) => (isGreen(result) ? [result.name] : []));
  };
  const better = await green(tried.map((gate) => ({ ...gate, network: "on" as const })));
  const candidates = tried.filter(({ name }) => better.includes(name));
  if (candidates.length === 0 || signal.aborted) return [];
  // What is green without it the second time is flaky and needs no network.
  const flaky = await green(candidates);
  const needy = signal.aborted ? [] : candidates.filter(({ name }) => !flaky.includes(name));
  for (const gate of needy) await keepNetworkNeed(world, gate);
  return needy.map(({ name }) => name);
}
