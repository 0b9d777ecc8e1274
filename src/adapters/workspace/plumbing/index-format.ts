// What git's own list of files says without asking git: when each file was last touched, whether submodules are among
// them, which of them it does not look for, and the tree it stands for. Starting git for each of these would cost more
// than all the rest of a check.
import { readFileSync } from "node:fs";

/**
 * Version 2, the one that `runner.ts` asks for: entries of fixed fields and a path, then extensions. Version 3 is what
 * git makes of it when an entry has more flags than fit, which is so for skip-worktree.
 */
const versions: readonly number[] = [2, 3];
const headerBytes = 12;
const extended = 0x4000;
const skipWorktree = 0x4000;
const longest = 0xfff;
const field = { changedAt: 0, writtenAt: 8, mode: 24, id: 40 } as const;
const gitlink = 0o160000;

/**
 * Whether every file was at rest before this second (`rested`), or has a time stamp that shows that it was not
 * (`young`). A file that was touched since but dated back is neither.
 */
export function classifyIndexAge(
  file: string,
  second: number,
  idBytes: number,
): "rested" | "young" | "unclear" {
  const index = readFileSync(file);
  if (!isKnown(index)) return "unclear";
  let answer: "rested" | "young" = "rested";
  for (const at of walkEntries(index, idBytes)) {
    if (index.readUInt32BE(at + field.changedAt) < second) continue;
    if (index.readUInt32BE(at + field.writtenAt) < second) return "unclear";
    answer = "young";
  }
  return answer;
}

/** Whether there may be submodules in it. */
export function mayHoldSubmodules(file: string, idBytes: number): boolean {
  const index = readFileSync(file);
  if (!isKnown(index)) return true;
  for (const at of walkEntries(index, idBytes))
    if (index.readUInt32BE(at + field.mode) === gitlink) return true;
  return false;
}

/** A file as the index has it; `skipped`: git takes it for unchanged without looking for it. */
export interface IndexEntry {
  readonly mode: string;
  readonly id: string;
  readonly skipped: boolean;
}

/** What is listed of the wanted paths. Nothing when the format is another one. */
export function readIndexEntries(
  file: string,
  idBytes: number,
  wanted: ReadonlySet<string>,
): Map<string, IndexEntry> {
  const index = readFileSync(file);
  const found = new Map<string, IndexEntry>();
  if (!isKnown(index)) return found;
  // Most paths differ from the wanted ones in their length, which is in the flags.
  const lengths = new Set([...wanted].map((path) => Math.min(Buffer.byteLength(path), longest)));
  for (const at of walkEntries(index, idBytes)) {
    if (!lengths.has(index.readUInt16BE(at + field.id + idBytes) & longest)) continue;
    const from = findPathAt(index, at, idBytes);
    const path = index.toString("utf8", from, index.indexOf(0, from));
    if (wanted.has(path)) found.set(path, readEntryAt(index, at, idBytes));
  }
  return found;
}

function readEntryAt(index: Buffer, at: number, idBytes: number): IndexEntry {
  const flags = at + field.id + idBytes;
  return {
    mode: index.readUInt32BE(at + field.mode).toString(8),
    id: index.toString("hex", at + field.id, flags),
    skipped: isExtended(index, flags) && (index.readUInt16BE(flags + 2) & skipWorktree) !== 0,
  };
}

/** The tree that git noted when it last wrote it; undefined when anything has changed since. */
export function readNotedTree(file: string, idBytes: number): string | undefined {
  const index = readFileSync(file);
  if (!isKnown(index)) return undefined;
  let at = headerBytes;
  for (const start of walkEntries(index, idBytes)) at = findEnd(index, start, idBytes);
  // Extensions: a name, a length, and as many bytes; a checksum ends the file.
  while (at + 8 < index.length - idBytes) {
    const from = at + 8;
    const to = from + index.readUInt32BE(at + 4);
    if (index.toString("latin1", at, at + 4) === "TREE") return findRoot(index.subarray(from, to), idBytes);
    at = to;
  }
  return undefined;
}

/** The first entry is the whole tree: an empty path, how many files it covers (-1: not known any more), its id. */
function findRoot(trees: Buffer, idBytes: number): string | undefined {
  const end = trees.indexOf("\n");
  const covers = /^\0(\d+) \d+$/.exec(trees.toString("latin1", 0, Math.max(0, end)));
  const id = trees.subarray(end + 1, end + 1 + idBytes);
  return covers && id.length === idBytes ? id.toString("hex") : undefined;
}

function isKnown(index: Buffer): boolean {
  return index.length > headerBytes && versions.includes(index.readUInt32BE(4));
}

function* walkEntries(index: Buffer, idBytes: number): Generator<number> {
  let at = headerBytes;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    yield at;
    at = findEnd(index, at, idBytes);
  }
}

/** Paths end with a zero byte, and entries at a multiple of eight. */
function findEnd(index: Buffer, at: number, idBytes: number): number {
  const path = findPathAt(index, at, idBytes);
  return at + Math.ceil((index.indexOf(0, path) - at + 1) / 8) * 8;
}

function findPathAt(index: Buffer, at: number, idBytes: number): number {
  const flags = at + field.id + idBytes;
  return flags + (isExtended(index, flags) ? 4 : 2);
}

function isExtended(index: Buffer, flags: number): boolean {
  return (index.readUInt16BE(flags) & extended) !== 0;
}
