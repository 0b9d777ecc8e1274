// How artifacts reach the disk: stored durably without ever replacing anything, inside the folder they belong to.
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure } from "../../ports/failure.ts";
import { buildTemporaryPath, getErrorCode, makeFolder, removeTemporary, syncFolder } from "../disk/files.ts";

/** Nobody else on this machine reads a record. */
export const privateFolder = 0o700;
const privateFile = 0o600;

/**
 * Stores the bytes under a name that is not taken, or that these very bytes already have; false when other bytes
 * have it. Durable when it returns true: the file first, then its name.
 */
export function storeOnce(path: string, bytes: Uint8Array): boolean {
  const temporary = buildTemporaryPath(path);
  try {
    writeReadOnly(temporary, bytes);
    linkSync(temporary, path);
  } catch (error) {
    if (getErrorCode(error) !== "EEXIST") throw error;
    if (!readPlain(path)?.equals(bytes)) return false;
    // The process that stored them may not have got as far as the disk: these are there for certain.
    renameSync(temporary, path);
  } finally {
    removeTemporary(temporary);
  }
  syncFolder(dirname(path));
  return true;
}

/**
 * A copy of what is durable elsewhere, in place of whatever has its name. Nobody waits for the disk: a power cut in the next moment may
 * tear it, so who reads a copy compares its hash.
 */
export function storeCopy(top: string, path: string, bytes: Uint8Array): void {
  const temporary = buildTemporaryPath(path);
  try {
    makeFoldersFor(top, path);
    const fd = openSync(temporary, "wx", privateFile);
    try {
      writeFileSync(fd, bytes);
      fchmodSync(fd, privateFile & 0o444);
    } finally {
      fdatasync(fd, () => closeSync(fd));
    }
    renameSync(temporary, path);
  } catch (error) {
    removeTemporary(temporary);
    throw toDiskFailure("artifact", path, error);
  }
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

/** Makes the folders below `top` that `path` needs, durably; refuses a link that leads out of `top` (B2). */
export function makeFoldersFor(top: string, path: string): void {
  const folder = dirname(path);
  makeFolder(folder, privateFolder);
  if (isOutsideTop(top, folder))
    throw new Failure("artifact.outside", `${folder} is a link that leads out of the bubble's artifacts.`, {
      hint: `Remove it: rm ${folder}`,
    });
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

/** Nobody edits it by accident, and no view takes its place. */
function writeReadOnly(path: string, content: Uint8Array): void {
  const fd = openSync(path, "wx", privateFile);
  try {
    writeFileSync(fd, content);
    fchmodSync(fd, fstatSync(fd).mode & 0o444);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
