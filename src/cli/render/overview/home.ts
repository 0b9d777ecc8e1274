// The first screen: one line about where we are, then what needs a person, what is running, what can be typed.
import type { HomeView } from "../../../app/doctor/first-screen.ts";
import { hasEnded, type ListedBubble } from "../../../app/record/listing.ts";
import type { InboxItem } from "../../../core/views/bubble/inbox.ts";
import { salvageHint } from "../../../ports/record/log.ts";
import {
  createInk,
  cut,
  type Ink,
  type Look,
  measureWidth,
  toPlainLine,
  wrap,
} from "../../terminal/style.ts";
import { formatCount, pad, renderTable } from "../table.ts";
import { formatAge } from "../time.ts";
import { describeWho } from "./list.ts";
import { countScreenLines, joinRows, type ScreenRow, toPlainRows } from "./screen-row.ts";
import { renderUncommitted } from "./uncommitted.ts";

const textWidth = 48;

export function renderHome(view: HomeView, version: string, look: Look): string {
  return joinRows(listHomeRows(view, version, look));
}

export function listHomeRows(view: HomeView, version: string, look: Look): ScreenRow[] {
  const paint = createInk(look.colour);
  const waiting = new Set(view.inbox.map((item) => item.bubble));
  const others = view.bubbles.filter((bubble) => !hasEnded(bubble) && !waiting.has(bubble.id));
  // A record that cannot be read runs nothing: somebody must look at it.
  const isDamaged = (bubble: ListedBubble) => bubble.trouble?.kind === "damaged" || !bubble.summary;
  const isStarted = (bubble: ListedBubble) => bubble.summary?.state !== "CREATED";
  const running = others.filter((bubble) => isStarted(bubble) && !isDamaged(bubble));
  const sections: Section[] = [
    {
      title: "needs you",
      more: "pairflow inbox",
      rows: [
        ...others
          .filter(isDamaged)
          .map((one) => ({ bubble: one.id, cells: renderRunning(one, paint, look.now) })),
        ...view.inbox.map((item) => ({
          ...(item.bubble === null ? {} : { bubble: item.bubble, item: item.id }),
          cells: renderInboxCells(item, paint, look.now),
        })),
      ],
    },
    {
      title: "running",
      more: "pairflow bubble list",
      rows: running.map((one) => ({ bubble: one.id, cells: renderRunning(one, paint, look.now) })),
    },
    {
      title: "not started",
      more: "pairflow bubble list --state CREATED",
      rows: others
        .filter((one) => !isStarted(one))
        .map((one) => ({ bubble: one.id, cells: renderCreated(one, paint) })),
    },
    {
      title: "plans not committed",
      more: "pairflow plan list",
      rows: renderUncommitted(view.uncommitted_plans, paint, look.now).map((cells) => ({ cells })),
    },
  ];
  const head = wrap(renderHeadLine(view, version, paint), look.width, 2);
  // The line of the prompt stands below.
  const room =
    (look.height ?? Number.POSITIVE_INFINITY) - countScreenLines(toPlainRows([head]), look.width) - 2;
  const isEmpty = view.inbox.length + others.length + view.uncommitted_plans.length === 0;
  const parts = isEmpty
    ? toPlainRows(renderQuiet(view, paint, look.width))
    : fitSections(sections, look.width, room);
  return [...toPlainRows([head, ""]), ...parts];
}

interface Section {
  readonly title: string;
  /** What shows the rows that do not fit. */
  readonly more: string;
  readonly rows: readonly SectionRow[];
}

interface SectionRow {
  readonly bubble?: string;
  readonly item?: string;
  readonly cells: readonly string[];
}

const fewest = 1;

/** As many rows of each section as the screen has room for; what comes first gets room first. */
function fitSections(sections: readonly Section[], width: number, room: number): ScreenRow[] {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  const counts = shown.map(({ rows }) => rows.length);
  const draw = () => shown.flatMap((one, at) => renderSection(one, counts[at] ?? 0, width));
  // The last section gives way first, then the one before it; each keeps a row.
  for (let at = shown.length - 1; at >= 0; at--)
    while (countScreenLines(draw(), width) > room && (counts[at] ?? 0) > fewest)
      counts[at] = (counts[at] ?? 0) - 1;
  return draw();
}

/** Outside a repository there is still something to try. */
export function renderNowhere(version: string, width: number, place: "outside" | "bare" = "outside"): string {
  const next =
    place === "bare"
      ? ["git worktree add ../work", "a checkout of it; then, inside: pairflow init"]
      : ["git init", "makes a repository here; then: pairflow init"];
  const where =
    place === "bare" ? "a bare repository: there are no files to work on" : "not inside a git repository";
  const demo = ["pairflow demo", "a whole bubble with two scripted agents, in a few seconds"];
  const help = ["pairflow help", "what can be typed"];
  const rows = place === "bare" ? [next, demo, help] : [demo, next, help];
  return [
    `pairflow ${version} · ${where}`,
    "",
    ...renderNextAndOthers("nothing to see here", rows, width),
  ].join("\n");
}

/** One command is the next one; what else can be typed stands below it. */
function renderNextAndOthers(title: string, rows: readonly (readonly string[])[], width: number): string[] {
  const edge = Math.max(...rows.map(([command = ""]) => measureWidth(command)));
  const even = rows.map(([command = "", does = ""]) => [pad(command, edge), does]);
  return [
    `  ${title}; next`,
    ...renderRows(even.slice(0, 1), width),
    ...(even.length > 1 ? ["  or", ...renderRows(even.slice(1), width)] : []),
  ];
}

function renderHeadLine({ repo, agents, gates }: HomeView, version: string, paint: Ink): string {
  const tree =
    repo.changed === null
      ? ""
      : repo.changed === 0
        ? "clean"
        : `${formatCount(repo.changed, "file")} changed`;
  const where = [repo.branch ?? "no branch", tree].filter(Boolean).join(", ");
  const known = agents.map(({ name, ready }) => `${name} ${ready ? "✓" : "✗"}`).join("  ");
  const found =
    gates && gates.names.length > 0 ? `${gates.presets.join(", ")} (${gates.names.length})` : "none found";
  const parts = [
    `pairflow ${version}`,
    `repo ${paint.bold(toPlainLine(repo.name))} (${where})`,
    known && `agents: ${known}`,
    gates && `gates: ${found}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** In a column of its own a longer id leaves no room for titles; where it is cut, the command below has the whole one. */
const widestId = 24;

/** Rows whose last cell is what to type; where they do not fit side by side, it stands below its row and is whole. */
function renderSection({ title, rows: all, more }: Section, count: number, width: number): ScreenRow[] {
  const rows = all.slice(0, count);
  const left = all.length - rows.length;
  const rest = left > 0 ? [`    and ${left} more: ${more}`] : [];
  const lines = renderTable(rows.map(({ cells }) => cells)).map((line) => `    ${line}`);
  const isFitting = lines.every((line) => measureWidth(line) <= width);
  const texts = isFitting ? lines : renderBelow(rows, width);
  return [
    { text: `  ${title}` },
    ...rows.map(({ bubble, item }, i) => ({ text: texts[i] ?? "", bubble, item })),
    ...toPlainRows(rest),
  ];
}

function renderBelow(rows: readonly SectionRow[], width: number): string[] {
  const short = rows.map(({ cells: [id = "", ...cells] }) => [cut(id, widestId), ...cells.slice(0, -1)]);
  const words = renderTable(short).map((line) => cut(`    ${line}`, width));
  return rows.map(({ cells }, i) => {
    const command = cells.at(-1);
    return command ? `${words[i]}\n      ${command}` : (words[i] ?? "");
  });
}

/** Commands, and what each does. */
function renderRows(rows: readonly (readonly string[])[], width: number): string[] {
  const indent = 4 + Math.max(...rows.map(([command = ""]) => measureWidth(command))) + 3;
  return renderTable(rows).map((line) => wrap(`    ${line}`, width, indent));
}

function renderInboxCells(item: InboxItem, paint: Ink, now: string): string[] {
  const isSaid = !["approve", "commit", "paused"].includes(item.kind);
  const short = cut(toPlainLine(item.text), textWidth);
  const words = isSaid ? `"${short}"` : short;
  return [
    paint.bold(item.bubble ?? "project"),
    paint.accent(item.kind),
    [words, item.at ? formatAge(item.at, now) : ""].filter(Boolean).join(" · "),
    paint.accent(toPlainLine(item.command)),
  ];
}

function renderRunning(bubble: ListedBubble, paint: Ink, now: string): string[] {
  const { id, summary, problem, driven } = bubble;
  if (!summary) return renderUnreadable(bubble, toPlainLine(problem ?? ""), paint);
  const open = summary.open_findings > 0 ? `${summary.open_findings} open` : "";
  const words = [describeWho(bubble, now), open].filter(Boolean).join(" · ") || summary.state;
  if (summary.paused) return [paint.bold(id), "paused", words, paint.accent(summary.resume ?? "")];
  const command = driven === false ? paint.accent(`pairflow bubble resume --id ${id}`) : "";
  return [paint.bold(id), summary.round > 0 ? `round ${summary.round}` : "preparing", words, command];
}

function renderUnreadable({ id, trouble }: ListedBubble, problem: string, paint: Ink): string[] {
  return trouble?.kind === "damaged"
    ? [paint.bold(id), paint.accent("damaged"), cut(problem, textWidth), paint.accent(salvageHint(id))]
    : [paint.bold(id), "unreadable", problem, paint.accent(`pairflow verify --id ${id}`)];
}

function renderCreated({ id, summary }: ListedBubble, paint: Ink): string[] {
  return [
    paint.bold(id),
    cut(toPlainLine(summary?.title ?? ""), textWidth),
    paint.accent(`pairflow bubble start --id ${id}`),
  ];
}

const suggestFirstCommit = (changed: number | null): string =>
  changed === 0 ? "git commit --allow-empty -m Start" : "git add -A && git commit -m Start";

function renderQuiet(view: HomeView, paint: Ink, width: number): string[] {
  const { initialised, bubbles, agents, gates } = view;
  const ready = agents.filter(({ ready }) => ready).map(({ name }) => name);
  const missing = agents.filter(({ ready }) => !ready).map(({ name }) => name);
  const doctor = ["pairflow doctor", `says how to get what is missing: ${missing.join(", ")}`];
  const rows = [
    ...(gates === null
      ? [[suggestFirstCommit(view.repo.changed), "a bubble begins on a commit, and there is none"]]
      : []),
    ...(initialised ? [] : [["pairflow init", "looks at this repository and prepares it"]]),
    // Without any agent nothing else leads anywhere; with one, that one can do both roles.
    ...(missing.length > 0 && ready.length === 0 && initialised ? [doctor] : []),
    ['pairflow new "what you want done"', "proposes how, and starts it"],
    ...(missing.length > 0 && !(ready.length === 0 && initialised) ? [doctor] : []),
    ...(bubbles.length === 0
      ? [["pairflow demo", "a whole bubble with two scripted agents, in a few seconds"]]
      : [["pairflow bubble list --all", `shows ${formatCount(bubbles.length, "bubble")} that ended`]]),
  ];
  const title = bubbles.length === 0 ? "nothing here yet" : "nothing is running";
  return renderNextAndOthers(
    title,
    rows.map(([command = "", does = ""]) => [paint.accent(command), does]),
    width,
  );
}
