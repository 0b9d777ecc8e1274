// The one line a listing shows of a bubble.
import { clip } from "../model/sizes.ts";
import type { State } from "../model/state.ts";
import { unanswered } from "../state/severity.ts";
import { inboxView } from "./inbox.ts";
import { pauseView, pauseWords } from "./pause.ts";
import { lastRound, routedTo, waitingOn } from "./run.ts";

const openStatuses = new Set<string>(["waiting", "running"]);

export function summaryView(state: State) {
  const to = routedTo(state);
  return {
    id: state.bubbleId,
    state: state.lifecycle,
    ...(state.pause ? { paused: pauseWords(state), resume: pauseView(state)?.command ?? "" } : {}),
    round: state.round,
    active_agent: state.turn?.agent ?? null,
    active_role: state.turn?.role ?? null,
    active_since: state.turn ? state.activeSince : null,
    last_command_at: state.lastCommandAt,
    inbox: inboxView(state).length,
    open_findings: unanswered(state).length,
    open_children: waitingOn(state).filter(({ status }) => openStatuses.has(status)).length,
    max_rounds: lastRound(state),
    title: clip(state.task.title, 120),
    ...(to === undefined ? {} : { routed_to: to }),
  };
}
