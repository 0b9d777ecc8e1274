// A batch that folds every envelope as it is written.
import type { DecisionBatch } from "../interpreter/batch.ts";
import type { Draft, DraftOf, Envelope, EnvelopeType, PayloadOf } from "../model/record/envelope.ts";
import { formatVersion } from "../model/record/envelope.ts";
import type { State } from "../model/state.ts";
import { evolve } from "./evolve.ts";

/** Lines that a person says, and lines that a person is to read; every other one is between the referee and itself. */
const saidByHuman: ReadonlySet<EnvelopeType> = new Set([
  ...(["START_REQUESTED", "HUMAN_REPLY", "APPROVAL_DECISION", "COMMITTED", "GATES_WAIVED"] as const),
  ...(["SCOPE_OVERRIDDEN", "UNLOCKED", "STEP_REDONE", "TREE_RESTORED", "BASE_UPDATE_WANTED"] as const),
  ...(["PAUSED", "PAUSE_ENDED", "RESUMED"] as const),
]);
const readByHuman: ReadonlySet<EnvelopeType> = new Set([
  ...(["HUMAN_QUESTION", "TURN_WAITING", "CONFIDENCE", "CONVERGENCE"] as const),
  ...(["DONE_PACKAGE", "APPROVAL_REQUEST", "FAILED"] as const),
]);

export function openBatch(start: State, at: string): DecisionBatch {
  const drafts: Draft[] = [];
  let state = start;
  return {
    get state() {
      return state;
    },
    drafts,
    at,
    write(type, payload, address = {}) {
      const round = type === "STEP_ADVANCED" ? (payload as PayloadOf<"STEP_ADVANCED">).round : state.round;
      const draft = {
        type,
        sender: address.from ?? (saidByHuman.has(type) ? "human" : "orchestrator"),
        recipient: address.to ?? (readByHuman.has(type) ? "human" : "orchestrator"),
        round,
        payload,
        refs: address.refs ?? [],
      } as DraftOf<typeof type>;
      drafts.push(draft as Draft);
      state = evolve(state, buildProvisional(draft as Draft, state, at));
    },
  };
}

function buildProvisional(draft: Draft, state: State, at: string): Envelope {
  return {
    ...draft,
    v: formatVersion,
    seq: state.seq + 1,
    id: "",
    ts: at,
    bubble_id: state.bubbleId,
    batch: { id: "", i: 0, n: 1 },
    prev: "",
  } as Envelope;
}
