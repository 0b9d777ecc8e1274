// Files of the local disk as every adapter that keeps some writes them: replaced at once, durable with their names. The one
// folder that adapters share.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";

export interface ReplaceOptions {
  /** The file, then its name: both are on the disk when the call returns. */
  readonly durable?: boolean;
  /** Only its owner reads it, unless something else is said. */
  readonly mode?: number;
}

/** Replaces a file at once: a reader sees the old or the new text, never a part. */
export function replaceFile(
  path: string,
  text: string,
  { durable = false, mode = 0o600 }: ReplaceOptions = {},
): void {
  const temporary = buildTemporaryPath(path);
  try {
    writeFileSync(temporary, text, { flag: "wx", mode, flush: durable });
    renameSync(temporary, path);
    if (durable) syncFolder(dirname(path));
  } catch (error) {
    removeTemporary(temporary);
    throw error;
  }
}

/** The same for a view, which somebody writes again: failing to write it is not an error. */
export function tryReplaceFile(path: string, text: string): void {
  tryOr(() => replaceFile(path, text), undefined);
}

/** A name beside the file that nobody else takes. */
export function buildTemporaryPath(path: string): string {
  return join(dirname(path), `.tmp-${process.pid}-${Math.random().toString(36).slice(2)}`);
}

/** Makes a folder and those above it, durably; a folder that is there stays as it is. */
export function makeFolder(folder: string, mode = 0o777): void {
  const made = mkdirSync(folder, { recursive: true, mode });
  for (let up = folder; made && up.length >= dirname(made).length; up = dirname(up)) syncFolder(up);
}

export function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The names in a folder; none when it is not there. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(getErrorCode(error) ?? "")) return [];
    throw error;
  }
}

export function getErrorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

export function removeTemporary(path: string): void {
  // It was never made, or stays behind: nothing reads it.
  tryOr(() => unlinkSync(path), undefined);
}
