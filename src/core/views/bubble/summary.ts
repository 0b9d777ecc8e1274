// The one line a listing shows of a bubble.

import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";
import { listUnanswered } from "../../state/severity.ts";
import { buildInboxView } from "./inbox.ts";
import { buildPauseView, describePause } from "./pause.ts";
import { getLastRound, getRoutedBubble, listAwaitedChildren } from "./run.ts";

const openStatuses = new Set<string>(["waiting", "running"]);

export function buildSummaryView(state: State) {
  const to = getRoutedBubble(state);
  return {
    id: state.bubbleId,
    state: state.lifecycle,
    ...(state.pause ? { paused: describePause(state), resume: buildPauseView(state)?.command ?? "" } : {}),
    round: state.round,
    active_agent: state.turn?.agent ?? null,
    active_role: state.turn?.role ?? null,
    active_since: state.turn ? state.activeSince : null,
    last_command_at: state.lastCommandAt,
    inbox: buildInboxView(state).length,
    open_findings: listUnanswered(state).length,
    open_children: listAwaitedChildren(state).filter(({ status }) => openStatuses.has(status)).length,
    max_rounds: getLastRound(state),
    title: clip(state.task.title, 120),
    ...(state.parent ? { parent: state.parent.bubble } : {}),
    ...(to === undefined ? {} : { routed_to: to }),
    workflow: state.program.id,
    step: state.position.step,
    worst: findWorstOpen(state),
    gates: buildGatesOnTree(state),
    usd: state.spent.total.usd ?? null,
    at: state.lastAt,
  };
}

const findWorstOpen = (state: State): string | null =>
  listUnanswered(state)
    .map(({ severity }) => severity)
    .sort()[0] ?? null;

/** A row has room for a dozen. */
const mostGates = 12;

function buildGatesOnTree({ gates, tree }: State): Record<string, string> {
  const results = gates && gates.tree === tree?.id && !gates.void ? gates.results : [];
  return Object.fromEntries(results.slice(0, mostGates).map(({ name, status }) => [clip(name, 40), status]));
}
