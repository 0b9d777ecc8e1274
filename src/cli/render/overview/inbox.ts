// What waits for a person: each item with its age, its words, what every answer does, and the command to paste.
import type { InboxItem } from "../../../core/views/bubble/inbox.ts";
import { createInk, cut, type Look, toPlainLine, toPlainLines, wrap } from "../../terminal/style.ts";
import { nameSender } from "../sender.ts";
import { formatCount, renderTable } from "../table.ts";
import { formatAge } from "../time.ts";
import { joinRows, type ScreenRow, toPlainRows } from "./screen-row.ts";

export function renderInbox(items: readonly InboxItem[], look: Look): string {
  return joinRows(listInboxRows(items, look));
}

export function listInboxRows(items: readonly InboxItem[], look: Look): ScreenRow[] {
  if (items.length === 0) return toPlainRows(["Nothing waits for you"]);
  return items.flatMap((item, at) => [
    ...(at > 0 ? toPlainRows([""]) : []),
    {
      text: renderItem(item, look),
      ...(item.bubble === null ? {} : { bubble: item.bubble, item: item.id }),
    },
  ]);
}

function renderItem(item: InboxItem, look: Look): string {
  const paint = createInk(look.colour);
  const round = item.round > 0 ? `round ${item.round}` : "";
  const where = item.task ? `task ${item.task.key}, iteration ${item.task.iteration}` : round;
  const head = [
    paint.bold(item.bubble ?? "project"),
    paint.accent(item.kind),
    item.at ? `${formatAge(item.at, look.now)} ago` : "",
    `from ${toPlainLine(nameSender(item.from))}`,
    where,
    item.bubble === null ? "" : item.id,
  ];
  const options = renderTable(
    item.options.map(({ key, does }) => [`    ${toPlainLine(key)}`, toPlainLine(does)]),
  );
  const short = (line: string) => cut(line, look.width);
  return [
    short(head.filter(Boolean).join("   ")),
    // A question is read whole; the person who answers it need look nowhere else.
    ...toPlainLines(item.text).map((line) => wrap(`  ${line}`, look.width, 2)),
    ...renderHistoryLines(item).map(short),
    ...options.map((line) => wrap(line, look.width, 8)),
    ...(item.paused ? [short(`  ${toPlainLine(item.paused)}; the answer is kept until it is resumed`)] : []),
    ...(item.spent ? [short(`  spent so far: ${item.spent}`)] : []),
    `  ${paint.accent(toPlainLine(item.command))}`,
  ].join("\n");
}

const roundsShown = 5;

/** The newest rounds of the task: what was handed over, and what the critic said. */
function renderHistoryLines({ history = [] }: InboxItem): string[] {
  const shown = history.slice(-roundsShown);
  const more = history.length - shown.length;
  const rows = shown.map(({ iteration, by, summary, critic, critique, decision }) => {
    const said = critic
      ? `${critic} ${decision ?? "says"}: "${toPlainLine(critique ?? "")}"`
      : "not reviewed";
    return [`    ${iteration}`, `${by}: "${cut(toPlainLine(summary), 60)}"`, said];
  });
  return [...(more > 0 ? [`    … ${formatCount(more, "earlier round")}`] : []), ...renderTable(rows)];
}

/** One line for the inbox on other screens: `2 wait for you: pairflow inbox`. */
export function renderInboxHint(waiting: number): string {
  return waiting === 0 ? "" : `${formatCount(waiting, "item waits", "items wait")} for you: pairflow inbox`;
}
