// The gates on the untouched base, run once before any agent is started, and once more when the base has moved: what cannot
// run there is asked about, and what is red there is said, so that nobody takes it for a mistake of the agent that works on it.
import type { BaseEvidence } from "../../model/state/evidence.ts";
import type { State } from "../../model/state.ts";
import { isGreen, isWaived } from "../convergence.ts";

type Result = BaseEvidence["results"][number];

/** Checks of a document judge what is not written yet, and children stand on what their parent's base run said. */
export function hasBaseRun({
  config,
  parent,
  profile,
}: Pick<State, "config" | "parent" | "profile">): boolean {
  const isOff = config.base_gates === "off" || config.kind === "document";
  return !isOff && !parent && profile.gates.length > 0;
}

/** Owed until it was made, or until a human has said that the work begins without it; gates of a plan come too late for it. */
export function isBaseRunDue(state: State): boolean {
  const { base, isBaseMoved } = state.workspace ?? {};
  return base !== undefined && !state.base && (isBaseMoved || !hasBegun(state)) && hasBaseRun(state);
}

/** An agent was started before. */
const hasBegun = ({ turnCount, turn, tree }: State) =>
  turnCount > 1 || (turn?.attempt ?? 0) > 0 || tree !== undefined;

/** A script of the repository that is not there yet may be what the task is about. */
const isOfTheTree = (program: string) => program.includes("/") && !program.startsWith("/");

/** It did not say anything about the tree, and no producer could make it. */
function couldNotRun({ status, missing, signal }: Result): boolean {
  if (status !== "error") return false;
  return signal !== undefined || (missing !== undefined && !isOfTheTree(missing));
}

/** Required gates that cannot run on this machine, not even with the network, and that nobody has waived. */
export function listUnrunnableOnBase(state: State): Result[] {
  const needy = state.base?.needsNetwork ?? [];
  return (state.base?.results ?? []).filter(
    (result) =>
      result.required && couldNotRun(result) && !needy.includes(result.name) && !isWaived(state, result.name),
  );
}

/** Gates that only lack the network, where one of them is required and not waived. */
export function listRedByNetwork(state: State): readonly string[] {
  const { needsNetwork = [], results = [] } = state.base ?? {};
  const isAsked = results.some(
    ({ name, required }) => required && needsNetwork.includes(name) && !isWaived(state, name),
  );
  return isAsked ? needsNetwork : [];
}

/** Gates that ran on the base and are not green there. */
export function listRedOnBase({ base }: Pick<State, "base">): string[] {
  return (base?.results ?? [])
    .filter((result) => !isGreen(result) && !couldNotRun(result))
    .map(({ name }) => name);
}

/** Required gates whose result depends on where the worktree stands, without those that are waived. */
export function listRedByLocation(state: State): string[] {
  const required = new Set((state.base?.results ?? []).flatMap((one) => (one.required ? [one.name] : [])));
  return (state.base?.redInWorktree ?? []).filter((name) => required.has(name) && !isWaived(state, name));
}

/** Some programs refuse to work below a folder whose name begins with a dot. */
export function isBelowDot(path: string): boolean {
  return path.split("/").some((part) => part.startsWith(".") && part !== "." && part !== "..");
}
