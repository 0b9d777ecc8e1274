// Commands that fit only some states of a bubble.
import { type Refusal, refuse } from "../../model/refusal.ts";
import type { Lifecycle, State } from "../../model/state.ts";

/** A refusal when the bubble is in none of these states. */
export function expectState(state: State, wanted: readonly Lifecycle[], verb: string): Refusal | undefined {
  if (wanted.includes(state.lifecycle)) return undefined;
  const hint =
    state.lifecycle === "CREATED"
      ? `pairflow bubble start --id ${state.bubbleId}`
      : `pairflow bubble status --id ${state.bubbleId}`;
  return refuse(
    `${verb}.wrong-state`,
    `${verb} needs ${wanted.join(" or ")}; ${state.bubbleId} is ${state.lifecycle}`,
    hint,
  );
}
