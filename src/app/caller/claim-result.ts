// The result of a claim, as its speaker is told: the same from a record that it can read itself and from a driver that answers
// through a socket.
import type { EnvelopeType } from "../../core/model/record/envelope.ts";
import { listMissingPackageParts } from "../../core/model/record/package.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import { isProducer } from "../../core/state/workflow-position.ts";
import type { Claim, ClaimCommand } from "../../engine/front/claim.ts";
import type { CommandReply } from "../../engine/front/command.ts";

export interface ClaimResult {
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

export function buildAnswered(
  { state, envelopes, refusal, repeats }: CommandReply,
  command: Claim,
): ClaimResult {
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
    lacks:
      produces && repeats === undefined
        ? listMissingPackageParts({ ...state?.package, ...claim.package })
        : [],
    open: state?.questions.map(({ seq }) => seq) ?? [],
  };
}
