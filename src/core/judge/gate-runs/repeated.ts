// Several gate runs on one tree: which gates are run once more, and the combined result. A gate that was green on a tree stays
// so; one that was red and is green now is flaky.
import type { GateResult } from "../../model/gate.ts";
import type { GatesEvidence } from "../../model/state/evidence.ts";
import type { State } from "../../model/state.ts";
import { findValidGateEvidence, isGreen, isWaived } from "../convergence.ts";

const isRed = ({ status }: GateResult) => status === "failed" || status === "timeout";
const wasKilled = ({ status, signal }: GateResult) => status === "error" && signal !== undefined;

/** Required gates that could not run on the current tree and that nobody has waived. */
export function listBrokenGates(state: State): GateResult[] {
  const results = findValidGateEvidence(state)?.results ?? [];
  return results.filter(
    (result) => result.required && result.status === "error" && !isWaived(state, result.name),
  );
}

/** The gates that are run now, by name; undefined: all of them. */
export function selectGatesToRun(state: State): ReadonlySet<string> | undefined {
  const known = state.gates;
  if (!known || known.void || known.clean || known.tree !== state.tree?.id) return undefined;
  if (known.again) return new Set(known.again);
  const evidence = findValidGateEvidence(state);
  const wanted = (evidence?.results ?? []).filter(
    (result) => result.required && !isGreen(result) && !isWaived(state, result.name),
  );
  return wanted.length > 0 ? new Set(wanted.map(({ name }) => name)) : undefined;
}

/** Whether the tree is looked at after each gate: gates of this bubble are known to write into it. */
export function mustWatchEachGate({ gates }: Pick<State, "gates">): boolean {
  return gates !== undefined && (gates.void || gates.results.some(({ wrote }) => wrote));
}

/** The same tree was handed over once more although gates are red on it: they are given a second run. */
export function isHandedOverAgain({ tree, gates }: State): boolean {
  return tree !== undefined && gates?.tree === tree.id && tree.seq > gates.seq;
}

/** Earlier results on the same tree, with those of the newest run in their places. */
export function mergeGateResults(
  earlier: GatesEvidence | undefined,
  ran: readonly GateResult[],
): readonly GateResult[] {
  if (!earlier || earlier.void) return ran;
  const before = (name: string) => earlier.results.find((result) => result.name === name);
  const news = ran.map((result): GateResult => {
    const old = before(result.name);
    const isFlaky = result.status === "passed" && old !== undefined && (isRed(old) || old.flaky);
    return isFlaky ? { ...result, flaky: true } : result;
  });
  const names = new Set(ran.map(({ name }) => name));
  if (earlier.results.every(({ name }) => names.has(name))) return news;
  const kept = earlier.results.map((old) => news.find(({ name }) => name === old.name) ?? old);
  return [...kept, ...news.filter(({ name }) => !before(name))];
}

/** Required gates that somebody killed in this run and not in the one before: they are run once more. */
export function listFirstKilled(
  state: State,
  earlier: GatesEvidence | undefined,
  ran: readonly GateResult[],
): string[] {
  const before = new Set(earlier?.results.filter(wasKilled).map(({ name }) => name));
  const killed = ran.filter(
    (result) => result.required && wasKilled(result) && !isWaived(state, result.name),
  );
  return killed.map(({ name }) => name).filter((name) => !before.has(name));
}

/** Gates whose second run on this tree is red too, and those that write into tree after tree: no producer fixes them. */
export function listRedAgain(
  known: GatesEvidence | undefined,
  tree: string,
  ran: readonly GateResult[],
): string[] {
  const before = (name: string) => known?.results.find((result) => result.name === name);
  return ran
    .filter((result) => {
      const old = before(result.name);
      if (!old || isGreen(result)) return false;
      const isSameTree = known?.tree === tree && !known.void;
      return (isSameTree && isRed(old)) || (result.wrote !== undefined && old.wrote !== undefined);
    })
    .map(({ name }) => name);
}
