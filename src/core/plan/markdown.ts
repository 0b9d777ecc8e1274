// A plan as the document people read and edit, and back. What is rendered is read back exactly; what people wrote is read
// strictly, and every problem knows its line.

import { type Constraints, PlanText } from "../model/plan.ts";
import { check } from "../model/value/validate.ts";
import { isFenceEnd, parseFence } from "../text/markdown.ts";
import { joinLines, type PlanDocument, tidy, tidyText } from "./document.ts";
import {
  type ConstraintKey,
  constraintKeys,
  constraintWord,
  guidance,
  headings,
  type PlanSectionName,
  sectionNames,
} from "./sections.ts";

export interface PlanLineProblem {
  /** As an editor counts, from 1. */
  readonly line: number;
  readonly message: string;
}

export type ParsedPlan =
  | { readonly ok: true; readonly document: PlanDocument }
  | { readonly ok: false; readonly problems: readonly PlanLineProblem[] };

const longestTitle = 300;

/** The document of a plan. With `guide`, empty sections show what belongs there, as comments that are not read. */
export function renderPlan(plan: PlanDocument, { guide = false }: { guide?: boolean } = {}): string {
  const { title, ...text } = tidy(plan);
  const parts = sectionNames.map((name) => {
    const lines = name === "constraints" ? listConstraintLines(text.constraints) : listTextLines(text[name]);
    const shown = lines.length === 0 && guide ? guidance[name].map((line) => `<!-- ${line} -->`) : lines;
    return [`## ${headings[name]}`, ...shown, ""].join("\n");
  });
  return [`# Plan: ${title}`, "", ...parts].join("\n");
}

const listTextLines = (text: string): string[] => (text === "" ? [] : escapeLines(text));

function listConstraintLines(constraints: Constraints): string[] {
  return constraintKeys.flatMap((key) =>
    constraints[key].map((entry) => `- ${constraintWord[key]}: ${entry}`),
  );
}

interface Section {
  readonly name: PlanSectionName;
  /** The line of its heading. */
  readonly line: number;
  readonly lines: { readonly number: number; readonly text: string }[];
}

interface Reading {
  readonly problems: PlanLineProblem[];
  readonly sections: Section[];
  title?: string;
  titleLine: number;
  /** Inside a section that is not known: its lines were complained about with its heading. */
  lost: boolean;
}

/** Reads the document strictly. */
export function parsePlan(markdown: string): ParsedPlan {
  const reading: Reading = { problems: [], sections: [], titleLine: 1, lost: false };
  const lines = markdown.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  readLines(lines, reading);
  const { problems, sections, title } = reading;
  if (title === undefined) problems.push({ line: 1, message: "the title is missing: # Plan: <title>" });
  for (const name of sectionNames) {
    if (!sections.some((section) => section.name === name))
      problems.push({ line: lines.length, message: `the section ## ${headings[name]} is missing` });
  }
  const document = buildDocument(reading);
  if (problems.length === 0) problems.push(...listSizeProblems(document, reading));
  if (problems.length === 0) return { ok: true, document };
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line) };
}

/** What the line before left open: a code block or a comment, and in which line it began. */
interface Open {
  readonly fence?: string;
  readonly line: number;
}

function readLines(lines: readonly string[], reading: Reading): void {
  let open: Open | undefined;
  for (const [i, text] of lines.entries()) {
    if (open?.fence) keep(reading, i + 1, text);
    open = open ? (isEnd(text, open) ? undefined : open) : readShown(reading, i + 1, text);
  }
  const what = open?.fence ? "code block is never closed" : "comment is never closed with -->";
  if (open) reading.problems.push({ line: open.line, message: `this ${what}` });
}

const isEnd = (text: string, { fence }: Open): boolean =>
  fence ? isFenceEnd(text, fence) : text.includes("-->");

/** A line outside of code blocks and comments; says what it opens. */
function readShown(reading: Reading, number: number, text: string): Open | undefined {
  if (text.startsWith("<!--")) {
    if (!text.includes("-->")) return { line: number };
    readRest(reading, number, text.slice(text.indexOf("-->") + 3));
    return undefined;
  }
  const fence = parseFence(text);
  readLine(reading, number, text);
  return fence ? { fence, line: number } : undefined;
}

function readRest(reading: Reading, number: number, rest: string): void {
  if (rest.trim() !== "")
    reading.problems.push({
      line: number,
      message: "words behind a comment; put them on a line of their own",
    });
}

function readLine(reading: Reading, number: number, text: string): void {
  if (/^##(?=\s|$)/.test(text)) readHeading(reading, number, text.slice(2).trim());
  else if (/^#(?=\s|$)/.test(text)) readTitle(reading, number, text.slice(1).trim());
  else keep(reading, number, unescapeLine(text));
}

function readTitle(reading: Reading, number: number, words: string): void {
  const title = /^plan:(.*)$/i.exec(words)?.[1]?.trim();
  if (reading.title !== undefined)
    reading.problems.push({
      line: number,
      message: "a second title; write ### for a heading inside a section",
    });
  else if (title) {
    reading.title = joinLines(title);
    reading.titleLine = number;
  } else reading.problems.push({ line: number, message: "the title must be written as # Plan: <title>" });
}

function readHeading(reading: Reading, number: number, words: string): void {
  const name = sectionNames.find((known) => known === words.toLowerCase());
  reading.lost = name === undefined;
  if (name === undefined) {
    const known = sectionNames.map((one) => headings[one]).join(", ");
    reading.problems.push({
      line: number,
      message: `unknown section ${JSON.stringify(words)}; a plan has ${known}`,
    });
    return;
  }
  const before = reading.sections.find((section) => section.name === name);
  if (before)
    reading.problems.push({
      line: number,
      message: `a second ## ${headings[name]}; the first is in line ${before.line}`,
    });
  reading.sections.push({ name, line: number, lines: [] });
}

function keep(reading: Reading, number: number, text: string): void {
  const section = reading.sections.at(-1);
  if (section && !reading.lost) section.lines.push({ number, text });
  else if (!reading.lost && text.trim() !== "")
    reading.problems.push({ line: number, message: "text outside of a section" });
}

function buildDocument(reading: Reading): PlanDocument {
  const textOf = (name: PlanSectionName) =>
    tidyText(
      (reading.sections.find((section) => section.name === name)?.lines ?? [])
        .map(({ text }) => text)
        .join("\n"),
    );
  return {
    title: reading.title ?? "",
    situation: textOf("situation"),
    mission: textOf("mission"),
    execution: textOf("execution"),
    constraints: buildConstraints(reading),
    coordination: textOf("coordination"),
  };
}

function buildConstraints({ sections, problems }: Reading): Constraints {
  const found: Record<ConstraintKey, string[]> = { in: [], out: [], do_not_touch: [] };
  let open: string[] | undefined;
  for (const { number, text } of sections.find(({ name }) => name === "constraints")?.lines ?? []) {
    if (text.trim() === "") continue;
    const [, word = "", entry = ""] = /^\s{0,3}[-*+]\s([^:]{1,60}):(.*)$/.exec(text) ?? [];
    const spoken = joinLines(word.toUpperCase().replaceAll("_", " "));
    const key = constraintKeys.find((one) => constraintWord[one] === spoken);
    if (key) {
      open = found[key];
      open.push(joinLines(entry));
    } else if (/^\s{2,}[^\s*+-]/.test(text) && open) open.push(joinLines(`${open.pop()} ${text}`));
    else
      problems.push({
        line: number,
        message: "a constraint begins with - IN:, - OUT: or - DO NOT TOUCH:, one line an entry",
      });
  }
  return {
    in: found.in.filter(Boolean),
    out: found.out.filter(Boolean),
    do_not_touch: found.do_not_touch.filter(Boolean),
  };
}

/** What is longer than a plan may be, at the heading of its section. */
function listSizeProblems(document: PlanDocument, { sections, titleLine }: Reading): PlanLineProblem[] {
  const { title, ...text } = document;
  if (title.length > longestTitle)
    return [{ line: titleLine, message: `the title has more than ${longestTitle} characters` }];
  const checked = check(PlanText, text);
  if (checked.ok) return [];
  return checked.issues.map(({ path, message }) => ({
    line: sections.find(({ name }) => name === path[0])?.line ?? 1,
    message: `${path.join(".")} ${message}`,
  }));
}

// The lines of a section's text inside the document: what could be taken for a heading, a comment or an open code block
// gets a backslash in front, and loses it again when it is read. Inside a code block nothing is touched.
const isSpecial = /^\\*(?:#{1,2}(?=\s|$)|<!--)/;
const isEscaped = /^\\+(?:#{1,2}(?=\s|$)|<!--)/;
const isFenceLike = /^(\s*)(\\*)(`{3,}|~{3,})/;

/** A section's text as lines of the document. */
function escapeLines(text: string): string[] {
  const lines = text.split("\n");
  const out: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const fence = parseFence(line);
    const end = fence ? lines.findIndex((other, at) => at > i && isFenceEnd(other, fence)) : -1;
    if (end < 0) {
      out.push(escapeLine(line));
      continue;
    }
    out.push(...lines.slice(i, end + 1));
    i = end;
  }
  return out;
}

function escapeLine(line: string): string {
  if (isSpecial.test(line)) return `\\${line}`;
  const [, indent, slashes] = isFenceLike.exec(line) ?? [];
  if (indent === undefined || (slashes === "" && parseFence(line) === "")) return line;
  return `${indent}\\${line.slice(indent.length)}`;
}

/** A line of the document, outside a code block, as it was in the text. */
function unescapeLine(line: string): string {
  if (isEscaped.test(line)) return line.slice(1);
  const [, indent = "", slashes = ""] = isFenceLike.exec(line) ?? [];
  return slashes === "" ? line : indent + line.slice(indent.length + 1);
}
