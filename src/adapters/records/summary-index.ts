// The summaries of many bubbles in one file, so that a long list opens no file of each bubble. It is made from their caches when many
// had to be opened, and believed for a bubble only while the size and the time of its log are those it was made with.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Summary } from "../../ports/record/records.ts";
import { replaceFile } from "../disk/files.ts";
import { computeChecksum } from "./checksum.ts";
import { privateFolder } from "./disk.ts";

/** A bubble as the index knows it: the log it stands for, and what was said of it then. */
export interface IndexedSummary {
  readonly size: number;
  readonly mtimeMs: number;
  readonly summary: Summary;
}

export type SummaryIndex = ReadonlyMap<string, IndexedSummary>;

/** Opening fewer files than this costs less than writing the index. */
const worthWriting = 100;

/** Hexadecimal digits of the sum that begins the file, and a newline. */
const sumLength = 9;

/** What the file says; nothing when it is not there or not as it was written. */
export function readSummaryIndex(path: string): SummaryIndex {
  try {
    const bytes = readFileSync(path);
    const body = Buffer.from(bytes.subarray(sumLength));
    if (bytes.toString("latin1", 0, sumLength - 1) !== computeChecksum(body, body.length)) return new Map();
    const entries = JSON.parse(body.toString("utf8")) as IndexedSummary[];
    return new Map(entries.map((entry) => [entry.summary.id, entry]));
  } catch {
    return new Map();
  }
}

/** Keeps the index when as many bubbles were opened as make it worth it. Failing to write it costs only time. */
export function keepSummaryIndex(path: string, entries: readonly IndexedSummary[], opened: number): void {
  if (opened < worthWriting) return;
  const body = JSON.stringify(entries);
  const bytes = Buffer.from(body);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: privateFolder });
    replaceFile(path, `${computeChecksum(bytes, bytes.length)}\n${body}`);
  } catch {
    // The next list opens the caches again.
  }
}
