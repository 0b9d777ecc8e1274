// The text of a file of conventions: read without following a link, replaced whole.
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../ports/failure.ts";

/** A file that is not there says nothing; a link is not followed, because it may lead out of the project. */
export function readPlainText(path: string): string {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(fd, "utf8");
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    throw new Failure("conventions.unreadable", `${path} cannot be read: ${message}`, {
      hint: "it must be a plain file that you may read",
      cause: error,
    });
  }
}

/** Old or new, never a part; durable when it returns. */
export function replaceText(path: string, text: string): void {
  const temporary = `${path}.tmp-${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    const made = mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text, { flag: "wx", flush: true });
    renameSync(temporary, path);
    const top = made === undefined ? dirname(path) : dirname(made);
    for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder))
      syncFolder(folder);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Failure("conventions.failed", `${path} cannot be written: ${(error as Error).message}`, {
      hint: "Is the repository writable for you (ls -ld shows its owner), and the disk not full?",
      cause: error,
    });
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
