// The text of a file of conventions: read without following a link, replaced whole.
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../ports/failure.ts";
import { makeFolder, replaceFile } from "../disk/files.ts";

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
  try {
    makeFolder(dirname(path));
    replaceFile(path, text, { durable: true, mode: 0o666 });
  } catch (error) {
    throw new Failure("conventions.failed", `${path} cannot be written: ${(error as Error).message}`, {
      hint: "Is the repository writable for you (ls -ld shows its owner), and the disk not full?",
      cause: error,
    });
  }
}
