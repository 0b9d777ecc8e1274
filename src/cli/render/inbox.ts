// What waits for a person: each item with its age, its words, what every answer does, and the command to paste.
import type { InboxItem } from "../../core/views/inbox.ts";
import { cut, ink, type Look, plain, plainLines, wrap } from "../terminal/style.ts";
import { count, table } from "./table.ts";
import { since } from "./time.ts";

export function renderInbox(items: readonly InboxItem[], look: Look): string {
  if (items.length === 0) return "Nothing waits for you";
  return items.map((item) => renderItem(item, look)).join("\n\n");
}

function renderItem(item: InboxItem, look: Look): string {
  const paint = ink(look.colour);
  const round = item.round > 0 ? `round ${item.round}` : "";
  const where = item.task ? `task ${item.task.key}, iteration ${item.task.iteration}` : round;
  const head = [
    paint.bold(item.bubble ?? "project"),
    paint.accent(item.kind),
    item.at ? `${since(item.at, look.now)} ago` : "",
    `from ${plain(item.from)}`,
    where,
    item.bubble === null ? "" : item.id,
  ];
  const options = table(item.options.map(({ key, does }) => [`    ${plain(key)}`, plain(does)]));
  const short = (line: string) => cut(line, look.width);
  return [
    short(head.filter(Boolean).join("   ")),
    // A question is read whole; whoever must answer it looks nowhere else.
    ...plainLines(item.text).map((line) => wrap(`  ${line}`, look.width, 2)),
    ...historyLines(item).map(short),
    ...options.map((line) => wrap(line, look.width, 8)),
    ...(item.paused ? [short(`  ${plain(item.paused)}; the answer is kept until it is resumed`)] : []),
    ...(item.spent ? [short(`  spent so far: ${item.spent}`)] : []),
    `  ${paint.accent(plain(item.command))}`,
  ].join("\n");
}

const roundsShown = 5;

/** The newest rounds of the task: what was handed over, and what the critic said. */
function historyLines({ history = [] }: InboxItem): string[] {
  const shown = history.slice(-roundsShown);
  const more = history.length - shown.length;
  const rows = shown.map(({ iteration, by, summary, critic, critique, decision }) => {
    const said = critic ? `${critic} ${decision ?? "says"}: "${plain(critique ?? "")}"` : "not reviewed";
    return [`    ${iteration}`, `${by}: "${cut(plain(summary), 60)}"`, said];
  });
  return [...(more > 0 ? [`    … ${count(more, "earlier round")}`] : []), ...table(rows)];
}

/** One line for the inbox on other screens: `2 wait for you: pairflow inbox`. */
export function inboxHint(waiting: number): string {
  return waiting === 0 ? "" : `${count(waiting, "item waits", "items wait")} for you: pairflow inbox`;
}
