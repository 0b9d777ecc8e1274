// The evidence a convergence rests on, written into the envelope so that it can be checked from the log alone.
import type { PayloadOf } from "../model/record/envelope.ts";
import type { State } from "../model/state.ts";
import { listLoopAgents, listPastCritics } from "../state/roles.ts";
import { listCleanPasses } from "./convergence.ts";

export function collectConvergenceEvidence(state: State): PayloadOf<"CONVERGENCE">["evidence"] {
  const weak = listLoopAgents(state).length < 2;
  return {
    tree: state.tree?.id ?? "",
    clean_passes: listCleanPasses(state).map(({ agent, round, seq }) => ({ agent, round, seq })),
    gates: (state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : []).map(
      ({ name, status }) => ({ name, status }),
    ),
    reviewers: listPastCritics(state),
    ...(weak ? { weak_alternation: true } : {}),
  };
}
