// The gate run that an approval rests on: on a clean checkout of exactly the tree that is signed, so that no ignored file
// of the worktree has a say. It is owed once at the approval, for every workflow.
import type { Step } from "../../model/program.ts";
import type { GatesEvidence } from "../../model/state/evidence.ts";
import type { State } from "../../model/state.ts";
import { listRedGates } from "../convergence.ts";

type Judged = Pick<State, "gates" | "tree" | "package">;

/** The newest gate run, if it was made on a clean checkout of this tree and with this commit message. */
export function findCleanRun({ gates, tree, package: pack }: Judged): GatesEvidence | undefined {
  if (!gates?.clean || gates.tree !== tree?.id) return undefined;
  const judged = gates.commitMessage;
  return judged === undefined || judged === (pack?.commit_message ?? "") ? gates : undefined;
}

/** Papers are judged by no command, and what a child made is judged with the work of its parent. */
export function isFinalRunDue(state: State): boolean {
  const { config, tree, parent, position } = state;
  if (config.final_gates === "worktree" || !tree || tree.paper || parent) return false;
  const run = findCleanRun(state);
  if (!run) return true;
  // What this visit's run has said was decided on; an earlier one counts while it is green.
  return run.seq < position.seq && (run.void || listRedGates(state).length > 0);
}

/** How often the final run was red on the current tree. */
export function countRedFinalRuns({ finalReds, tree }: Pick<State, "finalReds" | "tree">): number {
  return finalReds && finalReds.tree === tree?.id ? finalReds.count : 0;
}

/** The same tree goes back to its producer once, and work does so three times in all; then a human decides. */
export function isRedTooOften(state: Pick<State, "finalReds" | "tree">): boolean {
  return countRedFinalRuns(state) > 1 || (state.finalReds?.total ?? 0) > 3;
}

/** The work was accepted as it is: what is red now is told to the person who accepted it, and sends nobody back to work. */
export function isFinalRunAccepted({ position, result }: Pick<State, "position" | "result">): boolean {
  return position.outcome === "accept" || result?.result === "accepted";
}

/** The gates whose red result sends work back to this producer: those of the same task or phase. */
export function findGatesOfProducer({ program }: Pick<State, "program">, producer: Step): Step | undefined {
  const inLoop = program.steps.filter(({ kind, task, on }) => {
    return kind === "gates" && task === producer.task && on.fail !== undefined;
  });
  return inLoop.find(({ on }) => on.fail?.to === producer.name) ?? inLoop[0];
}
