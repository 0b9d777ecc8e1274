// The list of bubbles without opening their logs: a page of each state.json and the size of each transcript.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import type { Records } from "../../ports/record/records.ts";
import { getErrorCode } from "./disk.ts";
import { type FirstLine, firstLineBytes, readFirstLine } from "./state-file.ts";

type Listed = Awaited<ReturnType<Records["summaries"]>>[number];

/** All bubbles of a folder in the order of their names. */
export function listRecords(bubbles: string): Listed[] {
  const page = Buffer.allocUnsafe(firstLineBytes);
  const listed: Listed[] = [];
  for (const entry of listEntries(bubbles)) {
    if (!entry.isDirectory() || entry.name.startsWith(".")) continue;
    const folder = `${bubbles}/${entry.name}`;
    const first = openFirstLine(`${folder}/state.json`, page);
    if (!first || first.summary.id !== entry.name) listed.push({ id: entry.name, stale: true });
    else {
      const size = statSync(`${folder}/transcript.ndjson`, { throwIfNoEntry: false })?.size ?? 0;
      listed.push({ id: entry.name, summary: first.summary, stale: size !== first.offset });
    }
  }
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
    fd = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const length = readSync(fd, page, 0, page.length, 0);
    const line = readFirstLine(page.subarray(0, length));
    // A title of three hundred unusual characters may not fit the page.
    return line ?? (length === page.length ? readFirstLine(readFileSync(path)) : undefined);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
