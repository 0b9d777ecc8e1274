// The evidence a convergence rests on, written into the envelope so that it can be checked from the log alone.
import type { PayloadOf } from "../model/envelope.ts";
import type { State } from "../model/state.ts";
import { criticsSoFar, loopAgents } from "../state/roles.ts";
import { cleanPasses } from "./convergence.ts";

export function convergenceEvidence(state: State): PayloadOf<"CONVERGENCE">["evidence"] {
  const weak = loopAgents(state).length < 2;
  return {
    tree: state.tree?.id ?? "",
    clean_passes: cleanPasses(state).map(({ agent, round, seq }) => ({ agent, round, seq })),
    gates: (state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : []).map(
      ({ name, status }) => ({ name, status }),
    ),
    reviewers: criticsSoFar(state),
    ...(weak ? { weak_alternation: true } : {}),
  };
}
