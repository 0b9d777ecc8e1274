// Whose turn a step is. A chain of critics judges one tree, one after the other: each clean pass brings the next.
import type { StepOf } from "../model/program.ts";
import type { State } from "../model/state.ts";
import { cleanPasses } from "./convergence.ts";
import { loopOf } from "./place.ts";

/** `state` stands at the step already. */
export function agentFor(state: State, step: StepOf<"turn">): string {
  const { chain, critic } = loopOf(state);
  const next = step.role === critic ? chain?.[cleanPasses(state).length % (chain.length || 1)] : undefined;
  return next ?? state.roles[step.role] ?? step.role;
}
