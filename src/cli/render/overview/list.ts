// All bubbles under one another, one line each.

import type { UncommittedPlan } from "../../../app/plans/uncommitted.ts";
import type { ListedBubble } from "../../../app/record/listing.ts";
import { salvageHint } from "../../../ports/record/log.ts";
import { createInk, cut, type Look, measureWidth, toPlainLine } from "../../terminal/style.ts";
import { formatCount, renderTable } from "../table.ts";
import { formatAge } from "../time.ts";
import { renderInboxHint } from "./inbox.ts";
import { joinRows, type ScreenRow, toPlainRows } from "./screen-row.ts";
import { renderUncommitted } from "./uncommitted.ts";

interface ListNotes {
  readonly hidden: number;
  readonly plans: readonly UncommittedPlan[];
  /** The only state that was asked for. */
  readonly state?: string | undefined;
}

/** What needs a person first. Under the lines: what is hidden, what waits, and which plans nobody has committed to. */
export function renderList(listed: readonly ListedBubble[], notes: ListNotes, look: Look): string {
  return joinRows(listListRows(listed, notes, look));
}

export function listListRows(
  listed: readonly ListedBubble[],
  { hidden, plans, state }: ListNotes,
  look: Look,
): ScreenRow[] {
  const bubbles = listed.toSorted((a, b) => rankBubble(a) - rankBubble(b));
  const rows = renderRows(bubbles, look);
  const waiting = bubbles.reduce((sum, bubble) => sum + (bubble.summary?.inbox ?? 0), 0);
  const notes = [
    bubbles.length === 0 && hidden === 0 ? describeNone(state) : "",
    hidden > 0 ? `${formatCount(hidden, "ended bubble")} not shown: pairflow bubble list --all` : "",
    renderInboxHint(waiting),
    ...bubbles.filter(({ trouble }) => trouble?.kind === "damaged").map(({ id }) => suggestSalvageOf(id)),
  ].filter(Boolean);
  const gap = rows.length > 0 && notes.length > 0 ? [""] : [];
  const open = renderTable(renderUncommitted(plans, createInk(look.colour), look.now)).map(
    (row) => `  ${row}`,
  );
  const section = open.length > 0 ? ["", "plans not committed", ...open] : [];
  const fitting = (lines: readonly string[]) => lines.map((line) => cut(line, look.width));
  const head = rows.length - bubbles.length;
  return [
    ...fitting(rows).map((text, at) => ({ text, bubble: bubbles[at - head]?.id })),
    ...toPlainRows([...gap, ...notes, ...fitting(section)]),
  ];
}

const describeNone = (state: string | undefined): string =>
  state === undefined
    ? 'No bubbles yet. Make one: pairflow bubble create "what is to be done"'
    : `No bubble is ${state}: pairflow bubble list --all shows all of them`;

/** Damaged, waiting for a person, at work, not started, ended. */
function rankBubble({ summary }: ListedBubble): number {
  if (!summary) return 0;
  if (summary.inbox > 0) return 1;
  if (summary.state === "CREATED") return 3;
  return endedStates.has(summary.state) ? 4 : 2;
}

const endedStates = new Set(["DONE", "FAILED", "CANCELLED"]);

/** On a terminal with the names of the columns; where they do not fit, in fewer words, so that titles survive. */
function renderRows(bubbles: readonly ListedBubble[], look: Look): string[] {
  const all = bubbles.map((bubble) => renderCells(bubble, look));
  if (bubbles.length === 0 || !Number.isFinite(look.width)) return renderTable(all);
  const { dim } = createInk(look.colour);
  const whole = renderTable([headings.map(dim), ...all]);
  if (whole.every((line) => measureWidth(line) <= look.width)) return whole;
  const few = bubbles.map((bubble) => renderFewCells(bubble, look));
  return renderTable([fewHeadings.map(dim), ...few], 2);
}

const headings = ["bubble", "state", "round", "who", "findings", "inbox", "task"];
const fewHeadings = ["bubble", "state", "round", "task"];
const widestId = 24;

const shortStates: Readonly<Record<string, string>> = {
  CREATED: "not started",
  PREPARING_WORKSPACE: "preparing",
  RUNNING: "running",
  WAITING_HUMAN: "asks you",
  READY_FOR_APPROVAL: "to approve",
  APPROVED_FOR_COMMIT: "to commit",
};

function renderFewCells({ id, summary, trouble, driven, problem }: ListedBubble, look: Look): string[] {
  const paint = createInk(look.colour);
  const name = paint.bold(cut(id, widestId));
  if (!summary)
    return [
      name,
      trouble?.kind === "damaged" ? paint.accent("damaged") : "unreadable",
      "",
      toPlainLine(problem ?? ""),
    ];
  const { state, inbox, round, max_rounds: most, active_agent: agent, active_since: since } = summary;
  const word = shortStates[state] ?? describeState(summary).toLowerCase();
  const worker = agent && since ? `${cut(agent, 10)} ${formatAge(since, look.now)}` : word;
  const running = driven === false ? "no driver" : worker;
  const shown = summary.paused ? "paused" : state === "RUNNING" && inbox === 0 ? running : word;
  return [
    name,
    inbox > 0 ? paint.accent(shown) : shown,
    round > 0 ? `${round}/${most}` : "",
    toPlainLine(summary.title),
  ];
}

const suggestSalvageOf = (id: string) => `to continue from the good part of ${id}: ${salvageHint(id)}`;

function renderCells(bubble: ListedBubble, look: Look): string[] {
  const { id, summary, problem, trouble } = bubble;
  const paint = createInk(look.colour);
  if (!summary) {
    const word = trouble?.kind === "damaged" ? paint.accent("DAMAGED") : "UNREADABLE";
    return [paint.bold(id), word, "", "", "", "", toPlainLine(problem ?? "")];
  }
  const { round, max_rounds, open_findings: open, inbox } = summary;
  return [
    paint.bold(id),
    `${inbox > 0 ? paint.accent(summary.state) : describeState(summary)}${summary.paused ? " (paused)" : ""}`,
    round > 0 ? `round ${round} of ${max_rounds}` : "",
    describeWho(bubble, look.now),
    open > 0 ? `${open} open` : "",
    inbox > 0 ? `${inbox} for you` : "",
    toPlainLine(summary.title),
  ];
}

/** A routed bubble has ended by the rules, but nobody has cancelled its work: another one continues it. */
const describeState = ({ state, routed_to: to }: NonNullable<ListedBubble["summary"]>): string =>
  to ? `routed → ${to}` : state;

/** `codex implements · 3 min`, what it waits for, or that nobody sees to it. */
export function describeWho({ summary, driven, waits_for: asked }: ListedBubble, now: string): string {
  if (!summary) return "";
  const { active_agent: agent, active_role: role, active_since: at } = summary;
  const who = agent ? `${agent}, ${role}` : "";
  if (summary.paused) return toPlainLine(summary.paused);
  const held = asked ? `waits for ${asked}` : driven === false ? "no driver" : "";
  return [who, agent && at ? formatAge(at, now) : "", held].filter(Boolean).join(" · ");
}
