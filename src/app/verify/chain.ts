// Telling an edited transcript from one that only has losers of races in it. Every batch was written behind a line
// that counted at that moment, so a batch that names a hash no counting line has is proof of a change.
import { readFileSync } from "node:fs";
import { hashOf } from "../../adapters/log/line.ts";
import type { Skipped } from "../../ports/log.ts";

export interface Problem {
  /** The physical line of the transcript, counted from 1. */
  readonly line?: number;
  readonly message: string;
  /** A command that mends it. */
  readonly fix?: string;
}

export interface ChainReport {
  readonly errors: readonly Problem[];
  readonly notes: readonly Problem[];
}

interface Start {
  readonly seq: number;
  readonly prev: string;
}

interface Counting {
  readonly line: number;
  readonly seq: number;
}

interface Orphan extends Start {
  readonly line: number;
}

/** Judges the lines that were skipped; `lines` is how far the transcript was read. */
export function judgeSkipped(path: string, skipped: readonly Skipped[], lines: number): ChainReport {
  const notes = skipped.map(({ line, reason }) => ({ line, message: `does not count: ${reason}` }));
  if (skipped.length === 0) return { errors: [], notes };
  const isSkipped = new Set(skipped.map(({ line }) => line));
  const hashes = new Set<string>();
  const counting: Counting[] = [];
  const starts: Orphan[] = [];
  for (const { line, bytes } of linesOf(readFileSync(path), lines)) {
    if (isSkipped.has(line)) {
      const start = startOf(bytes);
      if (start) starts.push({ line, ...start });
    } else {
      hashes.add(hashOf(bytes));
      counting.push({ line, seq: (JSON.parse(bytes.toString("utf8")) as Start).seq });
    }
  }
  const orphan = starts.find(({ seq, prev }) => !hashes.has(prev) && !(prev === "" && seq === 1));
  if (!orphan) return { errors: [], notes };
  const error = culprit(orphan, skipped, counting);
  const after = notes.filter((note) => note.line > error.line);
  const lost = { message: `${after.length} lines after line ${error.line} do not count because of it` };
  return { errors: [error], notes: [...notes.filter((note) => note.line < error.line), lost] };
}

/** The first line of a batch, or undefined when these bytes are not one. */
function startOf(bytes: Buffer): Start | undefined {
  try {
    const { seq, prev, batch } = JSON.parse(bytes.toString("utf8")) as Partial<Start> & {
      batch?: { i?: unknown };
    };
    return batch?.i === 0 && typeof seq === "number" && typeof prev === "string" ? { seq, prev } : undefined;
  } catch {
    return undefined;
  }
}

/** Which line is to blame for an orphan: the last counting one before it, one between them, or one that is gone. */
function culprit(
  orphan: Orphan,
  skipped: readonly Skipped[],
  counting: readonly Counting[],
): Problem & { line: number } {
  const { line, seq } = orphan;
  const before = counting.findLast((one) => one.line < line);
  if (before && seq === before.seq + 1) {
    return {
      line: before.line,
      message: `was changed after it was written: line ${line} follows from another version of it`,
    };
  }
  const between = skipped.filter((one) => one.line > (before?.line ?? 0) && one.line < line);
  const damaged = between.find(({ reason }) => !reason.startsWith("torn: part")) ?? between[0];
  if (damaged)
    return { line: damaged.line, message: `is damaged (${damaged.reason}), and line ${line} builds on it` };
  return {
    line,
    message: `follows from a line that is gone: it has seq ${seq}, the one before it ${before?.seq ?? "none"}`,
  };
}

function* linesOf(file: Buffer, lines: number): Generator<{ line: number; bytes: Buffer }> {
  let from = 0;
  for (let line = 1; line <= lines; line += 1) {
    const to = file.indexOf(10, from);
    if (to === -1) return;
    if (to > from) yield { line, bytes: file.subarray(from, to) };
    from = to + 1;
  }
}
