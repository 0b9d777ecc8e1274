// Whether gates that are red on the untouched base are red only because their sandbox has no network: they run once more
// with it, on the same checkout. No agent has written anything there yet. What is found is kept for the next bubble,
// whose confirmation screen proposes it.

import { mayLackNetwork } from "../../../core/gates/output/network-hint.ts";
import { isGreen } from "../../../core/judge/convergence.ts";
import type { State } from "../../../core/model/state.ts";
import { keepNetworkNeed } from "../../world/network-needs.ts";
import type { World } from "../../world/world.ts";
import { runAll } from "../run.ts";
import type { CleanJob, CleanRunResult } from "./run.ts";

const isWorthTrying = ({ result, log }: CleanRunResult["ran"][number]) =>
  result.sandbox !== "none" && !isGreen(result) && mayLackNetwork(result.duration_ms, log);

/** The names of gates that are red without the network and green with it. */
export async function findGatesNeedingNetwork(
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
