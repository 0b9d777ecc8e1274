// All bubbles under one another, one line each.

import type { UncommittedPlan } from "../../app/plans/uncommitted.ts";
import type { ListedBubble } from "../../app/record/listing.ts";
import { salvageHint } from "../../ports/log.ts";
import { cut, ink, type Look, plain } from "../terminal/style.ts";
import { inboxHint } from "./inbox.ts";
import { count, table } from "./table.ts";
import { since } from "./time.ts";
import { uncommittedRows } from "./uncommitted.ts";

/** The lines, and under them what is hidden, what waits, and which plans nobody has committed to. */
export function renderList(
  bubbles: readonly ListedBubble[],
  hidden: number,
  plans: readonly UncommittedPlan[],
  look: Look,
): string {
  const rows = table(bubbles.map((bubble) => cells(bubble, look)));
  const waiting = bubbles.reduce((sum, bubble) => sum + (bubble.summary?.inbox ?? 0), 0);
  const notes = [
    bubbles.length === 0 && hidden === 0
      ? 'No bubbles yet. Make one: pairflow bubble create --id <id> --task "…"'
      : "",
    hidden > 0 ? `${count(hidden, "ended bubble")} not shown: pairflow bubble list --all` : "",
    inboxHint(waiting),
    ...bubbles.filter(({ trouble }) => trouble?.kind === "damaged").map(({ id }) => damagedHint(id)),
  ].filter(Boolean);
  const gap = rows.length > 0 && notes.length > 0 ? [""] : [];
  const open = table(uncommittedRows(plans, ink(look.colour), look.now)).map((row) => `  ${row}`);
  const section = open.length > 0 ? ["", "plans not committed", ...open] : [];
  const fitting = (lines: readonly string[]) => lines.map((line) => cut(line, look.width));
  return [...fitting(rows), ...gap, ...notes, ...fitting(section)].join("\n");
}

const damagedHint = (id: string) => `to continue from the good part of ${id}: ${salvageHint(id)}`;

function cells(bubble: ListedBubble, look: Look): string[] {
  const { id, summary, problem, trouble } = bubble;
  const paint = ink(look.colour);
  if (!summary) {
    const word = trouble?.kind === "damaged" ? paint.accent("DAMAGED") : "UNREADABLE";
    return [paint.bold(id), word, "", "", "", "", plain(problem ?? "")];
  }
  const { round, max_rounds, open_findings: open, inbox } = summary;
  return [
    paint.bold(id),
    `${inbox > 0 ? paint.accent(summary.state) : stateText(summary)}${summary.paused ? " (paused)" : ""}`,
    round > 0 ? `round ${round} of ${max_rounds}` : "",
    whoText(bubble, look.now),
    open > 0 ? `${open} open` : "",
    inbox > 0 ? `${inbox} for you` : "",
    plain(summary.title),
  ];
}

/** A routed bubble has ended by the rules, but nobody has cancelled its work: another one continues it. */
const stateText = ({ state, routed_to: to }: NonNullable<ListedBubble["summary"]>): string =>
  to ? `routed → ${to}` : state;

/** `codex implements · 3 min`, what it waits for, or that nobody sees to it. */
export function whoText({ summary, driven, waits_for: asked }: ListedBubble, now: string): string {
  if (!summary) return "";
  const { active_agent: agent, active_role: role, active_since: at } = summary;
  const who = agent ? `${agent}, ${role}` : "";
  if (summary.paused) return plain(summary.paused);
  const held = asked ? `waits for ${asked}` : driven === false ? "no driver" : "";
  return [who, agent && at ? since(at, now) : "", held].filter(Boolean).join(" · ");
}
