// What the gates said about the untouched base, and what a human's answer does to the run that is owed there.
import type { Profile } from "../../model/gate.ts";
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { BaseEvidence } from "../../model/state/evidence.ts";
import type { Question } from "../../model/state/turn.ts";
import type { State } from "../../model/state.ts";

export function applyBaseResult(state: State, { payload, seq, ts }: EnvelopeOf<"GATES_RESULT">): State {
  const { tree, results, clean, base = {} } = payload;
  const problem = clean?.problem;
  const evidence: BaseEvidence = {
    tree,
    seq,
    results: results.map(({ name, required, status, missing, signal, hint }) => ({
      name,
      required,
      status,
      ...(missing === undefined ? {} : { missing }),
      ...(signal === undefined ? {} : { signal }),
      ...(hint === undefined ? {} : { hint }),
    })),
    ...(problem ? { problem } : {}),
    ranAt: base.ran_at ?? ts,
    fromCache: base.ran_at !== undefined,
    redInWorktree: base.red_in_worktree ?? [],
    ...(base.needs_network ? { needsNetwork: base.needs_network } : {}),
  };
  const judged = { ...state, ...restartClocks(state, ts), base: evidence };
  return problem ? judged : dropProblem(judged);
}

/** The time of a step and of the run is the agents': what the base run took counts for neither. */
function restartClocks({ position, run }: State, ts: string): Pick<State, "position" | "run"> {
  return {
    position: position.at === undefined ? position : { ...position, at: ts, waitedMs: 0 },
    ...(run ? { run: { at: ts, waitedMs: 0 } } : {}),
  };
}

/** The setup command has come through since. */
function dropProblem(state: State): State {
  if (!state.workspace?.problem) return state;
  const { problem: _mended, ...workspace } = state.workspace;
  return { ...state, workspace };
}

/**
 * Again: the run is owed once more. Network: the same, with the network for the gates it was asked about. Any other answer
 * begins the work, whatever the base is like.
 */
export function applyBaseReply(
  state: State,
  question: Question | undefined,
  choice: string | undefined,
): State {
  if (question?.kind !== "base-gates" || !state.workspace) return state;
  const { base: _old, ...rest } = state;
  if (choice === "again") return rest;
  if (choice === "network") return { ...rest, profile: allowNetwork(state.profile, question.gates ?? []) };
  const { base: _tree, isBaseMoved: _moved, ...workspace } = state.workspace;
  return { ...state, workspace };
}

function allowNetwork(profile: Profile, names: readonly string[]): Profile {
  const gates = profile.gates.map((gate) =>
    names.includes(gate.name) ? { ...gate, network: "on" as const } : gate,
  );
  return { ...profile, gates };
}
