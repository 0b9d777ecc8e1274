// A pause begins and ends: what was measured before continues after it as if there had been none. Time in which a human is asked
// counts for no limit either.
import { pausable, shiftByPause } from "../../limits/pause.ts";
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { Turn } from "../../model/state/turn.ts";
import type { Pause, State } from "../../model/state.ts";
import { parseTime } from "../../model/value/time.ts";
import type { Fresh } from "./fresh.ts";
import { queueHumanMessage } from "./human.ts";

/** Said again it is the same pause: a human's own one outlasts that of the bubble above. */
export function applyPaused(state: State, { payload, seq, ts }: EnvelopeOf<"PAUSED">): State {
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

export function applyPauseEnded(state: State, { payload, seq, ts }: EnvelopeOf<"PAUSE_ENDED">): State {
  const { pause, ...rest } = state;
  if (!pause) return state;
  return {
    ...rest,
    pauses: (state.pauses ?? 0) + 1,
    ...buildTurnAfter(state, pause, ts),
    ...queueHumanMessage(state, seq, payload.message, undefined),
  };
}

/** The turn has worked as long as before the pause, and backs off as long as was left. */
function buildTurnAfter({ turn, activeSince }: State, pause: Pause, ts: string): Partial<State> {
  const begun = Math.max(parseTime(activeSince), turn?.startedAt ? parseTime(turn.startedAt) : 0);
  return {
    activeSince: shiftByPause(begun, pause.at, begun, ts),
    ...(turn ? { turn: { ...turn, ...buildBackOffAfter(turn, pause, ts) } } : {}),
  };
}

function buildBackOffAfter({ notBefore, backsOffSince }: Turn, pause: Pause, ts: string): Partial<Turn> {
  if (!notBefore || !backsOffSince) return {};
  return {
    notBefore: shiftByPause(parseTime(notBefore), pause.at, parseTime(backsOffSince), ts),
    backsOffSince: ts,
  };
}

/** What is signed or over has nothing left to begin. */
export function dropPauseAfterEnd(state: State): State {
  if (!state.pause || pausable.includes(state.lifecycle)) return state;
  const { pause: _pause, ...rest } = state;
  return rest;
}

const isWaiting = ({ lifecycle, pause }: State) =>
  lifecycle === "WAITING_HUMAN" || lifecycle === "READY_FOR_APPROVAL" || pause !== undefined;

/** Time in which a human is asked, or the bubble is paused, counts for no limit of a step or of the run. */
export function countWaiting(before: State, after: Fresh, ts: string): void {
  if (isWaiting(after)) {
    if (!isWaiting(before)) after.waitingSince = ts;
    return;
  }
  const { waitingSince, position, run } = after;
  if (!waitingSince) return;
  after.waitingSince = undefined;
  // What was begun meanwhile, or by the answer itself, has waited only since then.
  const msSince = (began: string) =>
    Math.max(0, parseTime(ts) - Math.max(parseTime(waitingSince), parseTime(began)));
  const stepMs = position.seq === before.position.seq ? msSince(position.at ?? waitingSince) : 0;
  if (stepMs > 0) after.position = { ...position, waitedMs: (position.waitedMs ?? 0) + stepMs };
  if (run) after.run = { ...run, waitedMs: run.waitedMs + msSince(run.at) };
}
