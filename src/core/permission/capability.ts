// Who may speak for a turn. The capability in an agent's environment ends with its turn; a stale or foreign one
// is refused, and the same verb repeated in the same turn returns its first outcome.
import type { Actor } from "../model/command.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import type { Claim, Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";

export type Speaker =
  | { readonly turn: Turn; readonly byOperator: boolean }
  | { readonly refusal: Refusal }
  | { readonly repeats: number };

export function identifySpeaker(state: State, actor: Actor, verb: Claim["verb"], digest: string): Speaker {
  if (actor.kind === "operator") return speakForRole(state, actor.as);
  const known = [state.turn, state.lastTurn].find((turn) => turn?.id === actor.turn);
  if (actor.kind === "driver" && (actor.turn === undefined || actor.id !== state.driver?.id))
    return { refusal: refuse("turn.not-yours", "only the bubble's own driver passes on an agent's answer") };
  if (!known || (actor.kind === "agent" && known.capability !== actor.capability))
    return {
      refusal: refuse(
        "turn.stale",
        `turn ${actor.turn} has ended; its capability is no longer valid`,
        "end this session: the referee starts the next turn itself",
      ),
    };
  if (known.claim && known.claim.verb === verb && known.claim.digest === digest)
    return { repeats: known.claim.seq };
  if (known !== state.turn || known.status === "claimed")
    return {
      refusal: refuse(
        "turn.ended",
        `turn ${known.id} has handed over already (line ${known.claim?.seq ?? "?"})`,
        "end this session: the referee starts the next turn itself",
      ),
    };
  const stale = checkAttempt(known, actor.attempt);
  return stale ? { refusal: stale } : { turn: known, byOperator: false };
}

function checkAttempt(turn: Turn, attempt: number | undefined): Refusal | undefined {
  if (turn.attempt !== attempt || turn.attempt === 0)
    return refuse(
      "turn.stale",
      `attempt ${attempt} of ${turn.id} was replaced by attempt ${turn.attempt}`,
      "end this session",
    );
  if (turn.status !== "due" || turn.ended !== "host-lost") return undefined;
  return refuse(
    "turn.stale",
    `attempt ${attempt} of ${turn.id} has ended: the bubble is driven on another machine now`,
    "end this session: the turn starts again from the recorded tree",
  );
}

function speakForRole(state: State, role: string | undefined): Speaker {
  const turn = state.turn;
  if (!role)
    return {
      refusal: refuse(
        "turn.no-capability",
        "this is an agent's verb and this shell is no agent's turn",
        turn
          ? `add --as ${turn.role} to speak for ${turn.agent} as the operator`
          : `pairflow bubble status --id ${state.bubbleId}`,
      ),
    };
  if (!turn || turn.status === "claimed")
    return {
      refusal: refuse(
        "turn.none",
        "no agent has a turn now",
        `pairflow bubble status --id ${state.bubbleId}`,
      ),
    };
  if (turn.role !== role)
    return {
      refusal: refuse(
        "turn.other-role",
        `it is the ${turn.role}'s turn (${turn.agent}), not the ${role}'s`,
        `add --as ${turn.role}`,
      ),
    };
  return { turn, byOperator: true };
}
