// The list of bubbles without opening their logs: the size of each transcript, and a page of each state.json that the index of
// summaries does not answer for.
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import type { Records } from "../../ports/record/records.ts";
import { getErrorCode } from "../disk/files.ts";
import { type FirstLine, firstLineBytes, readFirstLine } from "./state-file.ts";
import { type IndexedSummary, keepSummaryIndex, readSummaryIndex } from "./summary-index.ts";

type Listed = Awaited<ReturnType<Records["summaries"]>>[number];

/** All bubbles of a folder in the order of their names. */
export function listRecords(bubbles: string, indexPath: string): Listed[] {
  const index = readSummaryIndex(indexPath);
  const page = Buffer.allocUnsafe(firstLineBytes);
  const fresh: IndexedSummary[] = [];
  let opened = 0;
  const listOne = (id: string): Listed => {
    const log = statSync(`${bubbles}/${id}/transcript.ndjson`, { throwIfNoEntry: false });
    const { size = 0, mtimeMs = 0 } = log ?? {};
    const known = index.get(id);
    if (known?.size === size && known.mtimeMs === mtimeMs) {
      fresh.push(known);
      return { id, summary: known.summary, stale: false };
    }
    opened += 1;
    const first = openFirstLine(`${bubbles}/${id}/state.json`, page);
    if (!first || first.summary.id !== id) return { id, stale: true };
    const { summary, offset } = first;
    if (size === offset) fresh.push({ size, mtimeMs, summary });
    return { id, summary, stale: size !== offset };
  };
  const listed = listEntries(bubbles).flatMap((entry) =>
    entry.isDirectory() && !entry.name.startsWith(".") ? [listOne(entry.name)] : [],
  );
  keepSummaryIndex(indexPath, fresh, opened);
  return listed.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function listEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function openFirstLine(path: string, page: Buffer): FirstLine | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY);
  } catch {
    return undefined;
  }
  try {
    const length = readSync(fd, page, 0, page.length, 0);
    const line = readFirstLine(page, length);
    if (line || length < page.length) return line;
    // A title of three hundred unusual characters may not fit the page.
    const whole = readFileSync(path);
    return readFirstLine(whole, whole.length);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
