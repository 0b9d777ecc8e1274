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
import { restOfCharacter } from "../../core/model/sizes.ts";
import type { Scratch } from "../../ports/scratch.ts";
import { fileChannel } from "./channel.ts";
import { fileIn, filesIn, folderIn } from "./left.ts";
import { growingLines } from "./lines.ts";

const keptBytes = 4 * 1024 * 1024;

export function fileScratch(): Scratch {
  return {
    async text(path) {
      try {
        return lastBytes(path);
      } catch {
        return "";
      }
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
    lines: growingLines,
    channel: fileChannel,
    async modifiedAt(path) {
      return statSync(path, { throwIfNoEntry: false })?.mtime.toISOString();
    },
    folderIn: async (root, path) => folderIn(root, path),
    fileIn: async (root, path) => fileIn(root, path),
    filesIn: async (root) => filesIn(root),
  };
}

function lastBytes(path: string): string {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, keptBytes));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", size > keptBytes ? restOfCharacter(bytes) : 0);
  } finally {
    closeSync(fd);
  }
}
