// The one line a listing shows of a bubble.

import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";
import { listUnanswered } from "../../state/severity.ts";
import { buildInboxView } from "./inbox.ts";
import { buildPauseView, describePause } from "./pause.ts";
import { getLastRound, getRoutedBubble, listAwaitedChildren } from "./run.ts";

const openStatuses = new Set<string>(["waiting", "running"]);

/** The few fields a listing needs, readable without parsing the whole cache. */
export interface Summary {
  readonly id: string;
  readonly state: string;
  /** Who paused it and why, and the command that ends that; absent when it is not paused. */
  readonly paused?: string;
  readonly resume?: string;
  readonly round: number;
  readonly active_agent: string | null;
  readonly active_role: string | null;
  readonly active_since: string | null;
  readonly last_command_at: string | null;
  readonly inbox: number;
  readonly open_findings: number;
  /** Children it waits for; caches of older versions do not say. */
  readonly open_children?: number;
  readonly max_rounds: number;
  readonly title: string;
  /** The bubble whose run it works for; caches of older versions do not say. */
  readonly parent?: string;
  /** It was routed: the bubble that continues its work. */
  readonly routed_to?: string;
  /** What a table of all bubbles shows on top; caches of older versions do not say. */
  readonly workflow?: string;
  readonly step?: string | null;
  /** The most severe finding that is open. */
  readonly worst?: string | null;
  /** What each gate said about the newest tree. */
  readonly gates?: Readonly<Record<string, string>>;
  readonly usd?: number | null;
  readonly at?: string;
}

export function buildSummaryView(state: State): Summary {
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
