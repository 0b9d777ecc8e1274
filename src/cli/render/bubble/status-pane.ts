// The status pane of tmux: a status in as many rows as the pane has. State, turn, questions and what to type come first,
// then the last actions, then as much of the rest as there is room for.
import type { StatusView } from "../../../core/views/bubble/status.ts";
import type { TimelineRow } from "../../../core/views/history/timeline.ts";
import { createInk, cut, type Look, measureWidth, toPlainLine, wrap } from "../../terminal/style.ts";
import { labelWidth, pad, renderLabelled, type StatusRow } from "../table.ts";
import { formatTimeOfDay } from "../time.ts";
import { recordTime, renderFurtherRows, renderHeadLine, renderUrgentRows } from "./status.ts";

/** More are never shown, whatever the size of the pane. */
export const mostActions = 20;
const fewestActions = 3;

export function renderStatusPane(
  view: StatusView,
  actions: readonly TimelineRow[],
  given: Look & { readonly rows: number },
): string[] {
  const look = { ...given, now: recordTime(view, given) };
  const paint = createInk(look.colour);
  const { command } = view.next;
  // A command that was cut cannot be pasted, so it may run over the edge.
  const type = command ? renderLabelled([["type", paint.accent(command)]]) : [];
  const room = look.rows - 1 - getRows(type, look.width);
  const urgent = fitRows(renderUrgentRows(view, look), look, room);
  const further = fitRows(renderFurtherRows(view, look), look, Number.POSITIVE_INFINITY);
  const left = Math.max(0, room - urgent.length);
  const shown = Math.min(actions.length, left, Math.max(fewestActions, left - further.length));
  const lines = [
    ...urgent,
    ...fitRows(renderActionRows(actions.slice(actions.length - shown), look), look, shown),
    ...further.slice(0, left - shown),
  ];
  return [cut(renderHeadLine(view, paint), look.width), ...lines, ...type];
}

const getRows = (lines: readonly string[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(measureWidth(line) / Math.max(1, columns))), 0);

/** `22:41:07  codex PASS   "…"`: what agents, gates and people did, the newest last. */
function renderActionRows(actions: readonly TimelineRow[], { colour }: Look): StatusRow[] {
  const paint = createInk(colour);
  const width = Math.max(0, ...actions.map((row) => measureWidth(getActionName(row))));
  return actions.map((row) => [
    "last",
    `${paint.dim(formatTimeOfDay(row.ts))}  ${pad(getActionName(row), width)}  ${toPlainLine(row.text)}`,
  ]);
}

/** The referee itself needs no name here: everything that nobody else did is its doing. */
const getActionName = ({ who, what }: TimelineRow): string =>
  who === "orchestrator" ? what : `${who} ${what}`;

/** The rows as lines of the pane; a question may take a second line, everything else is cut. */
function fitRows(rows: readonly StatusRow[], { width }: Look, most: number): string[] {
  const lines = renderLabelled(rows).flatMap((line, i) =>
    rows[i]?.[0] === "asks" ? wrapToTwoLines(line, width) : [cut(line, width)],
  );
  return lines.slice(0, Math.max(0, most));
}

function wrapToTwoLines(line: string, width: number): string[] {
  const [first = "", ...rest] = wrap(line, width, labelWidth).split("\n");
  const second = rest.map((part) => part.trim()).join(" ");
  return second === "" ? [cut(first, width)] : [first, cut(`${" ".repeat(labelWidth)}${second}`, width)];
}
