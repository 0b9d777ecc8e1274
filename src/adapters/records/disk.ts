// How the records reach the disk: replaced at once, or stored durably without ever replacing anything.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure } from "../../ports/failure.ts";

/** Nobody else on this machine reads a record. */
export const privateFolder = 0o700;
const privateFile = 0o600;

/** Replaces a file at once: a reader sees the old or the new text, never a part. Durable: the file first, then its name. */
export function replace(path: string, text: string, options: { durable: boolean }): void {
  const temporary = getTemporary(path);
  try {
    writeWhole(temporary, text, options);
    renameSync(temporary, path);
    if (options.durable) syncFolder(dirname(path));
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

/**
 * Stores the bytes under a name that is not taken, or that these very bytes already have; false when other bytes
 * have it. Durable when it returns true: the file first, then its name.
 */
export function storeOnce(path: string, bytes: Uint8Array): boolean {
  const temporary = getTemporary(path);
  try {
    writeWhole(temporary, bytes, { durable: true, readOnly: true });
    linkSync(temporary, path);
  } catch (error) {
    if (getErrorCode(error) !== "EEXIST") throw error;
    if (!readPlain(path)?.equals(bytes)) return false;
    // Whoever stored them may not have got as far as the disk: these are there for certain.
    renameSync(temporary, path);
  } finally {
    remove(temporary);
  }
  syncFolder(dirname(path));
  return true;
}

/** The bytes of a plain file; undefined when there is none, or a link or folder has its name. */
export function readPlain(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENOTDIR"].includes(getErrorCode(error) ?? "")) return undefined;
    throw error;
  }
  try {
    return readFileSync(fd);
  } catch (error) {
    if (getErrorCode(error) === "EISDIR") return undefined;
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Makes a folder and those above it, durably; a folder that is there stays as it is. */
export function makeFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: privateFolder });
  for (let up = folder; made && up.length >= dirname(made).length; up = dirname(up)) syncFolder(up);
}

/** Makes the folders below `top` that `path` needs, durably; refuses a link that leads out of `top` (B2). */
export function makeFoldersFor(top: string, path: string): void {
  const folder = dirname(path);
  makeFolder(folder);
  if (isOutsideTop(top, folder)) {
    throw new Failure("artifact.outside", `${folder} is a link that leads out of the bubble's artifacts.`, {
      hint: `Remove it: rm ${folder}`,
    });
  }
}

/** Whether a folder written as being below `top` really is. */
export function isOutsideTop(top: string, folder: string): boolean {
  return realpathSync.native(folder) !== join(realpathSync.native(top), relative(top, folder));
}

/** The failure that an error of the disk stands for; `room` begins its code. */
export function toDiskFailure(room: string, path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { message } = error as Error;
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(getErrorCode(error) ?? "")) {
    const hint = "Free some space (df -h shows how much is left), then repeat the command.";
    return new Failure(`${room}.disk-full`, `No room left to write ${path}.`, { hint, cause: error });
  }
  if (["EACCES", "EPERM", "EROFS"].includes(getErrorCode(error) ?? "")) {
    const hint = "The folder .pairflow must be writable for you (ls -ld shows its owner).";
    return new Failure(`${room}.read-only`, `${path} cannot be written: ${message}`, { hint, cause: error });
  }
  return new Failure(`${room}.failed`, `${path}: ${message}`, { cause: error, retryable: true });
}

export function getErrorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

interface WriteOptions {
  readonly durable: boolean;
  /** Nobody edits it by accident, and no view takes its place. */
  readonly readOnly?: boolean;
}

function writeWhole(path: string, content: string | Uint8Array, { durable, readOnly }: WriteOptions): void {
  const fd = openSync(path, "wx", privateFile);
  try {
    writeFileSync(fd, content);
    if (readOnly) fchmodSync(fd, fstatSync(fd).mode & 0o444);
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function getTemporary(path: string): string {
  return join(dirname(path), `.tmp-${process.pid}-${Math.random().toString(36).slice(2)}`);
}

export function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // A temporary file that was never made, or that stays behind: nothing reads it.
  }
}
