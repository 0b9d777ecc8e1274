// A pause begins and ends: what was measured before continues after it as if there had been none.

import { movedBy, pausable } from "../../limits/pause.ts";
import type { EnvelopeOf } from "../../model/envelope.ts";
import type { Pause, State, Turn } from "../../model/state.ts";
import { millis } from "../../model/time.ts";
import { told } from "./human.ts";

/** Said again it is the same pause: a human's own one outlasts that of the bubble above. */
export function paused(state: State, { payload, seq, ts }: EnvelopeOf<"PAUSED">): State {
  const before = state.pause;
  const { message, now, parent, door } = payload;
  const isOwn = parent === undefined || (before !== undefined && before.parent === undefined);
  const pause: Pause = {
    at: before?.at ?? ts,
    seq,
    message: message || (before?.message ?? ""),
    now: now || (before?.now ?? false),
    ...(door ? { by: door.user } : before?.by ? { by: before.by } : {}),
    ...(isOwn ? {} : { parent }),
  };
  return { ...state, pause };
}

export function pauseEnded(state: State, { payload, seq, ts }: EnvelopeOf<"PAUSE_ENDED">): State {
  const { pause, ...rest } = state;
  if (!pause) return state;
  return {
    ...rest,
    pauses: (state.pauses ?? 0) + 1,
    ...turnAfter(state, pause, ts),
    ...told(state, seq, payload.message, undefined),
  };
}

/** The turn has worked as long as before the pause, and backs off as long as was left. */
function turnAfter({ turn, activeSince }: State, pause: Pause, ts: string): Partial<State> {
  const begun = Math.max(millis(activeSince), turn?.startedAt ? millis(turn.startedAt) : 0);
  return {
    activeSince: movedBy(begun, pause.at, begun, ts),
    ...(turn ? { turn: { ...turn, ...backOffAfter(turn, pause, ts) } } : {}),
  };
}

function backOffAfter({ notBefore, backsOffSince }: Turn, pause: Pause, ts: string): Partial<Turn> {
  if (!notBefore || !backsOffSince) return {};
  return { notBefore: movedBy(millis(notBefore), pause.at, millis(backsOffSince), ts), backsOffSince: ts };
}

/** What is signed or over has nothing left to begin. */
export function withoutPause(state: State): State {
  if (!state.pause || pausable.includes(state.lifecycle)) return state;
  const { pause: _pause, ...rest } = state;
  return rest;
}
