// All bubbles under one another, one line each.

import type { UncommittedPlan } from "../../../app/plans/uncommitted.ts";
import type { ListedBubble } from "../../../app/record/listing.ts";
import { salvageHint } from "../../../ports/record/log.ts";
import { createInk, cut, type Look, toPlainLine } from "../../terminal/style.ts";
import { formatCount, renderTable } from "../table.ts";
import { formatAge } from "../time.ts";
import { renderInboxHint } from "./inbox.ts";
import { renderUncommitted } from "./uncommitted.ts";

/** The lines, and under them what is hidden, what waits, and which plans nobody has committed to. */
export function renderList(
  bubbles: readonly ListedBubble[],
  hidden: number,
  plans: readonly UncommittedPlan[],
  look: Look,
): string {
  const rows = renderTable(bubbles.map((bubble) => cells(bubble, look)));
  const waiting = bubbles.reduce((sum, bubble) => sum + (bubble.summary?.inbox ?? 0), 0);
  const notes = [
    bubbles.length === 0 && hidden === 0
      ? 'No bubbles yet. Make one: pairflow bubble create --id <id> --task "…"'
      : "",
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
  return [...fitting(rows), ...gap, ...notes, ...fitting(section)].join("\n");
}

const suggestSalvageOf = (id: string) => `to continue from the good part of ${id}: ${salvageHint(id)}`;

function cells(bubble: ListedBubble, look: Look): string[] {
  const { id, summary, problem, trouble } = bubble;
  const paint = createInk(look.colour);
  if (!summary) {
    const word = trouble?.kind === "damaged" ? paint.accent("DAMAGED") : "UNREADABLE";
    return [paint.bold(id), word, "", "", "", "", toPlainLine(problem ?? "")];
  }
  const { round, max_rounds, open_findings: open, inbox } = summary;
  return [
    paint.bold(id),
    `${inbox > 0 ? paint.accent(summary.state) : stateText(summary)}${summary.paused ? " (paused)" : ""}`,
    round > 0 ? `round ${round} of ${max_rounds}` : "",
    describeWho(bubble, look.now),
    open > 0 ? `${open} open` : "",
    inbox > 0 ? `${inbox} for you` : "",
    toPlainLine(summary.title),
  ];
}

/** A routed bubble has ended by the rules, but nobody has cancelled its work: another one continues it. */
const stateText = ({ state, routed_to: to }: NonNullable<ListedBubble["summary"]>): string =>
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
