// Working files on the local disk.
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { countContinuationBytes } from "../../core/model/value/sizes.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { Scratch } from "../../ports/system/scratch.ts";
import { createFileChannel } from "./channel.ts";
import { findFileIn, findFolderIn, readFilesIn } from "./left-files.ts";
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
