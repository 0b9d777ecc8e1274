// What became of a damaged transcript: which line was changed, moved, copied, made unreadable or taken out. The log
// itself says where the damage shows; here it is said what was done, for people.
import { readFileSync } from "node:fs";
import { hashOf } from "../../adapters/log/line.ts";
import type { LogTrouble, SkippedLine } from "../../ports/record/log.ts";

export interface RecordProblem {
  /** The physical line of the transcript, counted from 1. */
  readonly line?: number;
  readonly message: string;
  /** A command that fixes it. */
  readonly fix?: string;
}

interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly chained?: Chained;
}

interface Chained {
  readonly seq: number;
  readonly prev: string;
}

/** The lines that were skipped and do no harm. */
export function noteSkipped(skipped: readonly SkippedLine[]): RecordProblem[] {
  return skipped.map(({ line, reason }) => ({ line, message: `does not count: ${reason}` }));
}

/** What is wrong with the chain, and how much of the file it costs. */
export function describeChainProblem(
  path: string,
  trouble: LogTrouble,
  skipped: readonly SkippedLine[],
): { readonly error: RecordProblem; readonly behind: number } {
  const lines = listLines(readFileSync(path));
  const at = lines.find(({ number }) => number === trouble.line);
  const shown = {
    ...(trouble.line === undefined ? {} : { line: trouble.line }),
    message: trouble.reason,
  };
  const error = (at && trouble.kind === "damaged" && findCulprit(lines, at, skipped)) || shown;
  const last = trouble.line ?? Number.POSITIVE_INFINITY;
  return { error, behind: lines.filter(({ number }) => number > last).length };
}

/** Which line is to blame for one that builds on nothing above it. */
function findCulprit(
  lines: readonly Line[],
  at: Line,
  skipped: readonly SkippedLine[],
): RecordProblem | undefined {
  const { chained, number, hash } = at;
  const copied = lines.find((one) => one.number < number && one.hash === hash);
  if (copied) return { line: number, message: `is a copy of line ${copied.number}` };
  if (!chained) return undefined;
  const moved = lines.find((one) => one.number > number && one.hash === chained.prev);
  if (moved)
    return {
      line: moved.number,
      message: `was moved: line ${number} builds on it and stands above it`,
    };
  const isSkipped = new Set(skipped.map(({ line }) => line));
  const before = lines.findLast((one) => one.number < number && !isSkipped.has(one.number));
  const between = skipped.filter(({ line }) => line > (before?.number ?? 0) && line < number);
  return describeBreak({ ...chained, number }, before, between);
}

/** The last counting line before it, one between them, or one that is gone. */
function describeBreak(
  { seq, number }: Chained & { readonly number: number },
  before: Line | undefined,
  between: readonly SkippedLine[],
): RecordProblem {
  if (before?.chained && seq === before.chained.seq + 1)
    return {
      line: before.number,
      message: `was changed after it was written: line ${number} follows from another version of it`,
    };
  const damaged = between.find(({ reason }) => !reason.startsWith("torn: part")) ?? between[0];
  if (damaged)
    return { line: damaged.line, message: `is damaged (${damaged.reason}), and line ${number} builds on it` };
  const last = before?.chained?.seq ?? "none";
  return {
    line: number,
    message: `follows from a line that is gone: it has seq ${seq}, the one before it ${last}`,
  };
}

/** Every line that is not empty; what has no newline is none. */
function listLines(file: Buffer): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (let number = 1; ; number += 1) {
    const to = file.indexOf(10, from);
    if (to === -1) return lines;
    const bytes = file.subarray(from, to);
    const chained = parseChained(bytes);
    if (to > from) lines.push({ number, bytes, hash: hashOf(bytes), ...(chained ? { chained } : {}) });
    from = to + 1;
  }
}

function parseChained(bytes: Buffer): Chained | undefined {
  try {
    const { seq, prev } = JSON.parse(bytes.toString("utf8")) as Partial<Chained>;
    return typeof seq === "number" && typeof prev === "string" ? { seq, prev } : undefined;
  } catch {
    return undefined;
  }
}
