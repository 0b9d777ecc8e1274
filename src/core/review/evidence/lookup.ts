// The one lookup: whether a cited place stands in the reviewed tree, or, for what was removed, in the base. All evidence
// goes through it, whatever it proves and however it was said.
import type { CodeLocation } from "../../model/review/evidence.ts";
import { keepStart } from "../../model/value/sizes.ts";
import { isSubstantial } from "./words.ts";

/** A file as it stands in one tree; undefined: it is not there. `null`: it is no text. */
export type Text = string | null | undefined;

/** How far from the named lines a quote may stand, and what still is the same place. */
export const tolerance = 2;

export interface TreeTexts {
  /** The file in the reviewed tree. */
  now(file: string): Text;
  /** The file in the base commit: removed lines stand there. */
  before(file: string): Text;
  /** Whether a file only says what reviews are measured by; it proves nothing about the work. */
  isRule(file: string): boolean;
}

/** Why a cited place is no evidence, or undefined when it stands there. */
export function checkCitation(cited: CodeLocation, { now, before, isRule }: TreeTexts): string | undefined {
  const { file } = cited;
  if (isRule(file)) return `${file} says what is asked for; it is no evidence`;
  const [text, base] = [now(file), before(file)];
  if (text === undefined && base === undefined) return `there is no file ${file} in the reviewed tree`;
  const problem = findRangeProblem(cited) ?? findProblemIn(cited, text);
  return problem !== undefined && isRemoved(cited, text, base) ? undefined : problem;
}

function findRangeProblem({ file, line, end_line: end }: CodeLocation): string | undefined {
  if (end === undefined) return undefined;
  if (line === undefined) return `${file}: end_line ${end} needs the line at which the range begins`;
  return end < line ? `${file}:${line}-${end} ends before it begins` : undefined;
}

const isFileAlone = ({ line, quote }: CodeLocation) => line === undefined && quote === undefined;

function findProblemIn(cited: CodeLocation, text: Text): string | undefined {
  const { file, line, end_line: end = line, quote } = cited;
  if (text === undefined) return isFileAlone(cited) ? undefined : `${file} is deleted`;
  if (text === null) return isFileAlone(cited) ? undefined : `${file} is no text; name it without a line`;
  const lines = splitSourceLines(text);
  if (isFileAlone(cited))
    return lines.length === 0 ? undefined : `${file} is named without a line or a quote`;
  if (lines.length === 0) return `${file} is empty: nothing stands there`;
  const beyond = [line, end].find((number) => number !== undefined && number > lines.length);
  if (beyond !== undefined) return `${file} has ${lines.length} lines, there is no line ${beyond}`;
  if (quote !== undefined) return quoteProblem({ ...cited, quote }, lines);
  const range = sliceAround(lines, line ?? 1, end ?? 1);
  return range.every((one) => one.trim() === "") ? `${file}:${line} is empty` : undefined;
}

/** The lines of a text; how they end, and a byte order mark before the first, make no difference. */
export function splitSourceLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function quoteProblem(cited: CodeLocation & { quote: string }, lines: readonly string[]): string | undefined {
  const { file, line, end_line: end, quote } = cited;
  if (!isSubstantial(quote) && line === undefined)
    return `the quote ${JSON.stringify(quote)} is too short to prove anything`;
  const last = Math.max(end ?? 0, (line ?? 0) + quote.trim().split("\n").length - 1);
  const where = line === undefined ? lines : sliceAround(lines, line, last);
  if (hasQuote(where.join("\n"), quote)) return undefined;
  const short = quote.length > 60 ? `${keepStart(quote, 60)}…` : quote;
  const place = line === undefined ? `in ${file}` : `at ${file}:${line}${end ? `-${end}` : ""}`;
  return `${JSON.stringify(short)} does not stand ${place}${line === undefined ? "" : describeActualPlace(lines, quote)}`;
}

/** Where the quote stands instead: an agent that was off by some lines need not search. */
function describeActualPlace(lines: readonly string[], quote: string): string {
  const first = foldSpaces(quote.trim().split("\n")[0] ?? "");
  const at = first === "" ? -1 : lines.findIndex((line) => foldSpaces(line).includes(first));
  return at < 0 || !isSubstantial(first) ? "" : `; it stands at line ${at + 1}`;
}

export const sliceAround = (lines: readonly string[], first: number, last: number) =>
  lines.slice(Math.max(0, first - 1 - tolerance), last + tolerance);

const foldSpaces = (text: string) =>
  text
    .replace(/\uFEFF/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** White space folded on both sides. */
const hasQuote = (text: string, quote: string): boolean => foldSpaces(text).includes(foldSpaces(quote));

/** Whether what is cited stood in the base and does not stand in the tree any more. */
function isRemoved(cited: CodeLocation, text: Text, base: Text): boolean {
  if (typeof base !== "string" || findRangeProblem(cited) || findProblemIn(cited, base) !== undefined)
    return false;
  if (typeof text !== "string") return true;
  return cited.quote === undefined
    ? isLineRemoved(cited, text, base)
    : isQuoteRemoved(cited.quote, text, base);
}

const isQuoteRemoved = (quote: string, text: string, base: string): boolean =>
  getTimes(foldSpaces(text), foldSpaces(quote)) < getTimes(foldSpaces(base), foldSpaces(quote));

const getTimes = (text: string, part: string): number => (part === "" ? 0 : text.split(part).length - 1);

/** One of the lines stands in the file fewer times than in the base. */
function isLineRemoved(
  { line = 1, end_line: end = line }: CodeLocation,
  text: string,
  base: string,
): boolean {
  const [before, now] = [splitSourceLines(base).map(foldSpaces), splitSourceLines(text).map(foldSpaces)];
  const count = (lines: readonly string[], wanted: string) => lines.filter((one) => one === wanted).length;
  return before
    .slice(line - 1, end)
    .some((wanted) => wanted !== "" && count(now, wanted) < count(before, wanted));
}
