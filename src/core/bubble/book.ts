// While one command is decided its envelopes are written into a book, which folds each at once: later rules of
// the same command see what earlier ones did.
import type { Draft, DraftOf, Envelope, EnvelopeType, PayloadOf } from "../model/envelope.ts";
import { formatVersion } from "../model/envelope.ts";
import type { State } from "../model/state.ts";
import { evolve } from "./evolve.ts";

export interface Book {
  readonly state: State;
  readonly drafts: readonly Draft[];
  readonly at: string;
  write<T extends EnvelopeType>(type: T, payload: PayloadOf<T>, address?: Address): void;
}

export interface Address {
  readonly from?: string;
  readonly to?: string;
  readonly refs?: readonly string[];
}

export function openBook(start: State, at: string): Book {
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
        sender: address.from ?? "orchestrator",
        recipient: address.to ?? "orchestrator",
        round,
        payload,
        refs: address.refs ?? [],
      } as DraftOf<typeof type>;
      drafts.push(draft as Draft);
      state = evolve(state, provisional(draft as Draft, state, at));
    },
  };
}

function provisional(draft: Draft, state: State, at: string): Envelope {
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
