// The payloads of one bubble: overview, log, package and prompts.
import { readTree } from "../../app/execute/read-tree.ts";
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { readLiveness } from "../../app/record/bubble.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { findHost } from "../../core/state/hosts.ts";
import { getLastRound } from "../../core/views/bubble/run.ts";
import { buildStatusView } from "../../core/views/bubble/status.ts";
import { buildSummaryView } from "../../core/views/bubble/summary.ts";
import { listActions } from "../../core/views/page/bubbles.ts";
import { buildPageItems } from "../../core/views/page/inbox.ts";
import { buildLogPage, type LogPage } from "../../core/views/page/log.ts";
import { type BubbleHeader, buildOverviewPage, type OverviewPage } from "../../core/views/page/overview.ts";
import {
  buildPackagePage,
  buildPromptRows,
  type PackagePage,
  type PromptsPage,
} from "../../core/views/page/papers.ts";
import type { Notes } from "../session/notes.ts";
import { listLines } from "./lines/kept.ts";
import { readPart } from "./lines/part.ts";
import { loadNamedState, type NamedBubble } from "./record.ts";

/** The header as far as one bubble tells it. */
export function buildHeader(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
  state: State,
  isDriven: boolean,
): Omit<BubbleHeader, "words"> {
  const summary = buildSummaryView(state);
  const isActive = ["RUNNING", "PREPARING_WORKSPACE"].includes(state.lifecycle);
  return {
    repositories: repositories.map(({ name }) => name),
    waiting: null,
    repo: named.repository.name,
    id: state.bubbleId,
    title: state.task.title,
    host: findHost(state, isDriven ? state.driver : undefined),
    state: state.pause ? `${state.lifecycle}, paused` : state.lifecycle,
    round: state.round,
    max_rounds: getLastRound(state),
    head: state.seq,
    tree: state.tree?.id ?? null,
    can_review: state.tree !== undefined,
    can_open: state.workspace !== undefined,
    actions: listActions({ summary, driven: isActive ? isDriven : null }),
  };
}

export async function readOverview(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
  _query?: URLSearchParams,
  dependencies?: { readonly notes: Notes },
): Promise<Omit<OverviewPage, "words">> {
  const state = await loadNamedState(named);
  const living = await readLiveness(named.world, state);
  const header = buildHeader(repositories, named, state, living.driver !== undefined) as BubbleHeader;
  const tree = await readTree(named.world, named.bubble);
  return buildOverviewPage({
    header,
    state,
    status: buildStatusView(state, living),
    envelopes: await listLines(named),
    items: buildPageItems(named.repository.name, state, getLastRound(state)),
    children: tree.children,
    drafts: dependencies?.notes.read(named.repository.path, named.bubble).drafts ?? {},
  });
}

const linesAtOnce = 200;

export async function readLog(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
  query: URLSearchParams,
): Promise<Omit<LogPage, "words">> {
  const header = await buildCurrentHeader(repositories, named);
  const before = Number(query.get("before")) || undefined;
  const type = query.get("type") ?? undefined;
  return buildLogPage(header, await readPart(named, { before, type, count: linesAtOnce }));
}

export async function readPackage(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
): Promise<Omit<PackagePage, "words">> {
  return buildPackagePage(await buildCurrentHeader(repositories, named), await loadNamedState(named));
}

/** A prompt is shown only if a line of the log names it. */
export async function readPrompts(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
  query: URLSearchParams,
): Promise<Omit<PromptsPage, "words">> {
  const prompts = buildPromptRows(await listLines(named));
  const wanted = query.get("artifact");
  const found = wanted === null ? undefined : prompts.find(({ artifact }) => artifact === wanted);
  if (wanted !== null && !found) throw refuse("page.artifact", "the record names no such prompt");
  const bytes = found && (await named.world.records.get(named.bubble, found.artifact));
  const text = bytes ? new TextDecoder().decode(bytes) : "";
  const shown = found ? { artifact: found.artifact, text } : null;
  return { ...(await buildCurrentHeader(repositories, named)), page: "prompts", prompts, shown };
}

/** The header as the record stands now. */
export async function buildCurrentHeader(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
): Promise<BubbleHeader> {
  const isDriven = (await named.world.runtime.living(named.bubble)) !== undefined;
  return buildHeader(repositories, named, await loadNamedState(named), isDriven) as BubbleHeader;
}
