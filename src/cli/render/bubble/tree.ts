// The tree of a run as lines: a head with what is done and what it cost, then phases and tasks with marks.
import { keepEnd } from "../../../core/model/value/sizes.ts";
import { formatDollars, formatTokens } from "../../../core/views/bubble/usage.ts";
import type { TreeNode, TreeState } from "../../../core/views/tree/run.ts";
import { describeRoute } from "../../../core/views/tree/standing.ts";
import { createInk, cut, type Ink, type Look, measureWidth, toPlainLine } from "../../terminal/style.ts";
import { formatCount, pad, renderTable } from "../table.ts";
import { formatAge } from "../time.ts";

const marks: Readonly<Record<TreeState, string>> = {
  done: "✓",
  running: "●",
  asks: "?",
  approve: "?",
  waiting: "·",
  failed: "✗",
  paused: "‖",
};
const longestTitle = 44;
/** Where the cost begins, if the screen is wide enough. */
const headWidth = 66;
const longestQuestion = 80;

interface TreeLook extends Look {
  /** Shown while it is driven: a driver that is just being started is no news. */
  readonly live: boolean;
}

/** The whole tree. Commands stand on lines of their own, so that they are never cut. */
export function renderTree(root: TreeNode, given: Look, { live = false }: { live?: boolean } = {}): string {
  const look = { ...given, live };
  const paint = createInk(look.colour);
  const lines = renderRows(root.children, "  ", look);
  const cells = renderTable(
    fitCells(
      lines.flatMap((line) => ("cells" in line ? [line.cells] : [])),
      look.width,
    ),
  );
  const shown = lines.map((line) => {
    if ("cells" in line) return paintMark(cut(cells.shift() ?? "", look.width), line.state, paint);
    return line.command ? paint.accent(line.text) : cut(line.text, look.width);
  });
  return [renderHeadLine(root, look, paint), ...shown, ...renderQuestionLines(root, "  ", paint)].join("\n");
}

function renderHeadLine(root: TreeNode, look: Look, paint: Ink): string {
  const done = root.parts ? `${root.parts.done} of ${formatCount(root.parts.all, "task")} done` : root.says;
  const left = [paint.bold(root.key), paint.accent(root.lifecycle ?? ""), done].filter(Boolean).join("   ");
  const money = describeCost(root.cost);
  const place = Math.min(headWidth, look.width - money.length - 3);
  return cut(money ? `${pad(left, place)}   ${money}` : left, look.width);
}

/** `41.2k tokens · $0.3800`; nothing where nothing is known. */
function describeCost({ tokens: used, usd }: TreeNode["cost"]): string {
  return [used > 0 ? `${formatTokens(used)} tokens` : "", usd === null ? "" : formatDollars(usd)]
    .filter(Boolean)
    .join(" · ");
}

/** Mark and key, title, bubble, and how it stands. */
type Cells = readonly [key: string, title: string, bubble: string, says: string];

const shortestTitle = 12;
const shortestBubble = 16;
const gaps = 9;

/** Where the lines are too long for the screen, titles give way first, then names of bubbles: how it stands is what one looks for. */
function fitCells(rows: readonly Cells[], width: number): readonly Cells[] {
  const widest = (i: number) => Math.max(0, ...rows.map((row) => measureWidth(row[i] ?? "")));
  const [title, bubble] = [widest(1), widest(2)];
  const over = widest(0) + title + bubble + widest(3) + gaps - width;
  if (over <= 0) return rows;
  const forTitle = Math.max(Math.min(title, shortestTitle), title - over);
  const forBubble = Math.max(
    Math.min(bubble, shortestBubble),
    bubble - Math.max(0, over - (title - forTitle)),
  );
  return rows.map(([key, words, name, says]) => [key, cut(words, forTitle), cutFront(name, forBubble), says]);
}

/** Names of bubbles differ at their end. */
const cutFront = (name: string, width: number): string =>
  name.length <= width ? name : `…${keepEnd(name, width - 1)}`;

type Line =
  | { readonly cells: Cells; readonly state: TreeState }
  | { readonly text: string; readonly command?: boolean };

function renderRows(nodes: readonly TreeNode[], indent: string, look: TreeLook): Line[] {
  return nodes.flatMap((node): Line[] => {
    if (node.kind === "heir") return renderHeirLines(node, indent, look);
    const title = cut(toPlainLine(node.title ?? ""), longestTitle);
    const key = `${indent}${marks[node.state]} ${node.key}`;
    const cells = [key, title, node.bubble ?? "", describeNode(node, look)] as const;
    const question = renderQuestionLines(node, `${indent}  `, createInk(false));
    return [
      { cells, state: node.state },
      ...question.map((text) => ({ text, command: true })),
      ...renderRows(node.children, `${indent}  `, look),
    ];
  });
}

/** `↳ too big: totals-t2-task-decomposition   2 of 3 parts done`, and its own parts below. */
function renderHeirLines(node: TreeNode, indent: string, look: TreeLook): Line[] {
  const { parts } = node;
  const done =
    parts && node.state !== "done" ? `${parts.done} of ${formatCount(parts.all, "part")} done` : "";
  const says = [done, node.state === "running" && done ? "" : describeNode(node, look)]
    .filter(Boolean)
    .join(" · ");
  return [
    { text: `${indent}↳ ${describeRoute(node.key)}: ${node.bubble}   ${says}` },
    ...renderQuestionLines(node, `${indent}  `, createInk(false)).map((text) => ({ text, command: true })),
    ...renderRows(node.children, `${indent}  `, look),
  ];
}

/** What it says, and for how long; the question where one is asked. */
function describeNode(node: TreeNode, look: TreeLook): string {
  if (node.question) return `question: "${cut(toPlainLine(node.question.text), longestQuestion)}"`;
  const isLive = node.state === "running" && node.since !== null && look.now !== "";
  const undriven =
    !look.live && node.state !== "paused" && node.driven === false && node.lifecycle === "RUNNING"
      ? "nobody drives it"
      : "";
  const time = isLive && node.since ? formatAge(node.since, look.now) : "";
  const round = node.state === "running" && node.round > 1 ? `round ${node.round}` : "";
  return [toPlainLine(node.says), round, time, undriven].filter(Boolean).join(" · ");
}

function renderQuestionLines({ question }: TreeNode, indent: string, paint: Ink): string[] {
  return question ? [`${indent}  ${paint.accent(question.command)}`] : [];
}

function paintMark(line: string, state: TreeState, paint: Ink): string {
  if (state === "asks" || state === "approve" || state === "failed" || state === "paused")
    return paint.bold(line);
  return state === "waiting" || state === "done" ? paint.dim(line) : line;
}

/**
 * One line for each node, without what changes by itself: what is told where nothing can be drawn over. Parts of a task are
 * named after it: t2/p1.
 */
export function describeTree(root: TreeNode): ReadonlyMap<string, string> {
  const story = new Map<string, string>();
  const tell = (node: TreeNode, name: string): void => {
    if (isTold(node)) story.set(name, renderStoryLine(node, name));
    for (const child of node.children) tell(child, node.kind === "run" ? child.key : `${name}/${child.key}`);
  };
  tell(root, root.key);
  return story;
}

/** What a run does while it runs is told by its phases and tasks. */
function isTold({ state, kind, children }: TreeNode): boolean {
  const isInPhase = children.some((child) => child.kind === "phase" && child.state === "running");
  return state !== "waiting" && !isInPhase && (kind !== "run" || state !== "running");
}

function renderStoryLine({ key, state, says, bubble, round, question }: TreeNode, name: string): string {
  const words = question ? `asks: "${toPlainLine(question.text)}"   ${question.command}` : toPlainLine(says);
  const where = bubble && bubble !== key ? ` (${bubble})` : "";
  const again = round > 1 && state === "running" ? `, round ${round}` : "";
  return `${marks[state]} ${name}${where}: ${words}${again}`;
}
