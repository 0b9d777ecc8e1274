// What a verb's speaker is told of what became of its claim: the same from a record that it can read itself and from a
// driver that speaks to it through a socket.
import type { Command } from "../../core/model/command.ts";
import type { EnvelopeType } from "../../core/model/envelope.ts";
import { missingParts } from "../../core/model/package.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import { isProducer } from "../../core/state/place.ts";
import type { Handled } from "../../engine/handle/handle.ts";

export type ClaimCommand = Extract<Command, { type: "pass" | "converged" | "ask-human" }>;

export interface Answered {
  /** What kind of claim it was: a written review may turn out to converge or to ask. */
  readonly said: ClaimCommand["type"];
  readonly envelopes: readonly { readonly type: EnvelopeType; readonly seq: number }[];
  readonly refusal?: Refusal;
  /** The line of the same claim, made before. */
  readonly repeats?: number;
  /** Parts of the package that a producer still owes. */
  readonly lacks: readonly string[];
  /** Lines of questions that are open now. */
  readonly open: readonly number[];
}

export function answeredOf(
  handled: Handled,
  command: Omit<ClaimCommand, "actor" | "digest" | "refs">,
): Answered {
  const { state, envelopes, refusal, repeats } = handled;
  const said = command.type;
  const claim = command as Partial<Extract<ClaimCommand, { type: "pass" }>>;
  const produces =
    said === "pass" &&
    claim.paper === undefined &&
    state?.turn !== undefined &&
    isProducer(state, state.turn.role);
  return {
    said,
    envelopes: envelopes.map(({ type, seq }) => ({ type, seq })),
    ...(refusal ? { refusal } : {}),
    ...(repeats === undefined ? {} : { repeats }),
    lacks: produces && repeats === undefined ? missingParts({ ...state?.package, ...claim.package }) : [],
    open: state?.questions.map(({ seq }) => seq) ?? [],
  };
}
