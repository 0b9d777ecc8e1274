// The tasks of a plan from the numbered lines of its Execution, without asking anybody: the same text always gives the
// same tasks.

import type { Criterion, Plan, PlanTask } from "../../model/plan.ts";
import { measureIndent } from "../../text/bullets.ts";
import { findCodeSpans, type MarkdownLine, parseMarkdownLines } from "../../text/markdown.ts";
import { parsePathWord } from "../constraints.ts";
import { parseSuccessCriteria } from "../success.ts";

interface Numbered {
  readonly number: string;
  readonly first: string;
  /** The indented lines under it, without their indent. */
  readonly more: string[];
}

interface Marked {
  readonly words: string;
  /** The numbers it names; undefined when it names none. */
  readonly after: readonly string[] | undefined;
  readonly parallel: boolean;
  readonly covers: readonly string[];
}

/** Empty when Execution has no numbered line. */
export function parseExecutionTasks(plan: Pick<Plan, "execution" | "mission">): PlanTask[] {
  const items = listNumberedLines(plan.execution);
  const ids = new Map(items.map(({ number }, i) => [number, `t${i + 1}`]));
  const isByNumber = ids.size === items.length;
  const idOf = (number: string) => (isByNumber ? ids.get(number) : undefined) ?? `t${number}`;
  const tasks: PlanTask[] = [];
  /** The tasks that run side by side with the newest one, itself included. */
  let group: string[] = [];
  for (const [i, item] of items.entries()) {
    const id = `t${i + 1}`;
    const marks = readMarks(item.first);
    const before = tasks.at(-1);
    const isBeside = marks.parallel && before !== undefined;
    const depends = marks.after ? marks.after.map(idOf) : isBeside ? before.depends_on : group;
    group = isBeside && !marks.after ? [...group, id] : [id];
    const { criteria, rest } = buildCriteria(item.more);
    const description = [marks.words, ...rest].join("\n").trim();
    tasks.push({
      id,
      description,
      files: listFilesIn([item.first, ...item.more].join("\n")),
      criteria,
      depends_on: [...new Set(depends)],
      covers: [...new Set(marks.covers)],
    });
  }
  return coverAll(tasks, plan);
}

/** What no line names is for the last task: somebody has to see that it holds. */
function coverAll(tasks: readonly PlanTask[], plan: Pick<Plan, "mission">): PlanTask[] {
  const named = new Set(tasks.flatMap(({ covers }) => covers));
  const left = parseSuccessCriteria(plan).filter(({ id }) => !named.has(id));
  return tasks.map((task, i) =>
    i < tasks.length - 1 ? task : { ...task, covers: [...task.covers, ...left.map(({ id }) => id)] },
  );
}

function listNumberedLines(execution: string): Numbered[] {
  const items: Numbered[] = [];
  let open: Numbered | undefined;
  for (const line of parseMarkdownLines(execution)) {
    const begun = parseNumberedLine(line);
    if (begun) items.push(begun);
    open = begun ?? (open && addContinuation(open, line) ? open : undefined);
  }
  return items.map((item) => ({ ...item, more: trimEdges(item.more) }));
}

function parseNumberedLine({ text, level, code }: MarkdownLine): Numbered | undefined {
  if (code || level > 0) return undefined;
  const [, number, words] = /^ {0,3}(\d{1,4})[.)]\s+(\S.*)$/.exec(text) ?? [];
  return number && words ? { number: String(Number(number)), first: words.trim(), more: [] } : undefined;
}

/** Adds an indented or empty line to the item; false when the line is no part of it. */
function addContinuation({ more }: Numbered, { text, level }: MarkdownLine): boolean {
  if (level > 0 || (text.trim() !== "" && measureIndent(text) === 0)) return false;
  more.push(text.trim());
  return true;
}

function trimEdges(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1);
}

const afterMark = /\((?:after|depends on)\s+([^()]*)\)/gi;
const coversMark = /\((S\d{1,3}(?:\s*(?:,|and)\s*S\d{1,3})*)\)/gi;
const parallelMark = /^\(parallel\)\s*|\s*\(parallel\)\s*[.;]?$/gi;

/** The marks in brackets are taken out of the words. A mark inside code is code. */
function readMarks(line: string): Marked {
  const after: string[] = [];
  const covers: string[] = [];
  let hasAfter = false;
  const withoutMarks = changeOutsideCode(line, (text) =>
    text
      .replace(afterMark, (mark, list: string) => {
        const numbers = list.split(/\s*(?:,|&|\band\b)\s*/).filter(Boolean);
        if (!numbers.every((one) => /^(?:task\s+|t)?\d{1,4}$/i.test(one))) return mark;
        hasAfter = true;
        after.push(...numbers.map((one) => String(Number(one.replace(/\D/g, "")))));
        return "";
      })
      .replace(coversMark, (_mark, list: string) => {
        covers.push(...list.split(/\s*(?:,|and)\s*/i).map((id) => id.toUpperCase()));
        return "";
      }),
  ).trim();
  const words = withoutMarks.replace(parallelMark, "").trim();
  return {
    words: words.replace(/ {2,}/g, " ").replace(/ +([.,;:])/g, "$1"),
    after: hasAfter ? after : undefined,
    parallel: words !== withoutMarks,
    covers,
  };
}

function changeOutsideCode(line: string, change: (text: string) => string): string {
  let out = "";
  let at = 0;
  for (const { start, end } of findCodeSpans(line)) {
    out += change(line.slice(at, start)) + line.slice(start, end);
    at = end;
  }
  return out + change(line.slice(at));
}

/** The paths between backticks, each once. */
function listFilesIn(text: string): string[] {
  const words = text
    .split("\n")
    .flatMap((line) => findCodeSpans(line).map(({ start, end }) => line.slice(start, end)));
  const paths = words.map((word) => parsePathWord(word)).filter((path): path is string => path !== undefined);
  return [...new Set(paths)];
}

/** Lines of the form Given … When … Then …, on one line or on three; the others are kept. */
function buildCriteria(lines: readonly string[]): { criteria: Criterion[]; rest: string[] } {
  const criteria: Criterion[] = [];
  const rest: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const found = findCriterionAt(lines, i);
    if (found) {
      criteria.push(found.criterion);
      i = found.last;
    } else rest.push(lines[i] ?? "");
  }
  return { criteria, rest };
}

const stripBullet = (line: string): string => line.replace(/^[-*+]\s+/, "").replace(/\*\*/g, "");

function findCriterionAt(
  lines: readonly string[],
  from: number,
): { criterion: Criterion; last: number } | undefined {
  if (!/^given\b/i.test(stripBullet(lines[from] ?? ""))) return undefined;
  let text = "";
  for (let at = from; at < Math.min(lines.length, from + 6); at += 1) {
    const line = stripBullet(lines[at] ?? "");
    if (line === "" || (at > from && /^given\b/i.test(line))) return undefined;
    text = `${text} ${line}`.trim();
    const criterion = findCriterionIn(text);
    const next = stripBullet(lines[at + 1] ?? "");
    if (criterion && !/^and\b/i.test(next)) return { criterion, last: at };
  }
  return undefined;
}

function findCriterionIn(text: string): Criterion | undefined {
  const when = /[,;]?\s+when\s+/i.exec(text);
  const then = when && /[,;]?\s+then\s+/i.exec(text.slice(when.index + when[0].length));
  if (!when || !then) return undefined;
  const rest = text.slice(when.index + when[0].length);
  const parts = {
    given: text.slice("given".length, when.index).trim(),
    when: rest.slice(0, then.index).trim(),
    // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
    then: rest.slice(then.index + then[0].length).trim(),
  };
  return parts.given && parts.when && parts.then ? parts : undefined;
}
