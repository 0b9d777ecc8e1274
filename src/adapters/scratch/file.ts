// Working files on the local disk.
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { countContinuationBytes } from "../../core/model/value/sizes.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { LeftFile, Scratch } from "../../ports/system/scratch.ts";
import { createFileChannel } from "./channel.ts";
import { openGrowingLines } from "./lines.ts";

const keptBytes = 4 * 1024 * 1024;

export function createFileScratch(): Scratch {
  return {
    async text(path) {
      return tryOr(() => readLastBytes(path), "");
    },
    async remove(path) {
      rmSync(path, { force: true });
    },
    async clear(path) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, "", { mode: 0o600 });
    },
    async size(path) {
      return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    },
    async cut(path, bytes) {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytes) truncateSync(path, bytes);
    },
    lines: openGrowingLines,
    channel: createFileChannel,
    async modifiedAt(path) {
      return statSync(path, { throwIfNoEntry: false })?.mtime.toISOString();
    },
    folderIn: async (root, path) => findFolderIn(root, path),
    fileIn: async (root, path) => findFileIn(root, path),
    filesIn: async (root) => readFilesIn(root),
  };
}

function readLastBytes(path: string): string {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, keptBytes));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", size > keptBytes ? countContinuationBytes(bytes) : 0);
  } finally {
    closeSync(fd);
  }
}

// What a command left in its folder. An agent may have prepared that folder: links that lead out of it are not
// followed, and a file is known as new by what a writer cannot set.
const maxBytes = 64 * 1024 * 1024;

function findFolderIn(root: string, path: string): string | undefined {
  const found = resolveInside(root, path);
  return found !== undefined && statSync(found).isDirectory() ? found : undefined;
}

function findFileIn(root: string, path: string): LeftFile | undefined {
  const found = resolveInside(root, path);
  const stat = found === undefined ? undefined : statSync(found, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !stat?.isFile()) return undefined;
  return {
    // A time of modification can be set to anything; the time of change is the system's own.
    mark: [stat.dev, stat.ino, stat.ctimeNs, stat.size].join(":"),
    text: () => (stat.size > maxBytes ? undefined : tryOr(() => readFileSync(found, "utf8"), undefined)),
  };
}

const mostFiles = 50;
const mostBytes = 4 * 1024 * 1024;

function readFilesIn(root: string): { readonly name: string; readonly bytes: Uint8Array }[] {
  return tryOr(() => readdirSync(root, { withFileTypes: true }), [])
    .filter((entry) => entry.isFile() && lstatSync(join(root, entry.name)).size <= mostBytes)
    .map(({ name }) => name)
    .sort()
    .slice(0, mostFiles)
    .map((name) => ({ name, bytes: readFileSync(join(root, name)) }));
}

function resolveInside(root: string, path: string): string | undefined {
  try {
    const [top, found] = [realpathSync(root), realpathSync(join(root, path))];
    return found === top || found.startsWith(top + sep) ? found : undefined;
  } catch {
    return undefined; // Not there, or behind a folder that may not be read.
  }
}
