// How plans reach the disk: a file is replaced at once, and is on the disk when the call returns.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../ports/failure.ts";

/** Far longer files are no plans, and would only be slow to read. */
const longest = 1_000_000;

/** Makes the folder if need be; a reader sees the old or the new text, never a part. Equal text is not written again. */
export function replaceFile(path: string, text: string): void {
  const temporary = join(dirname(path), `.tmp-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    if (readText(path) === text) return;
    const made = mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text, { flag: "wx", flush: true });
    renameSync(temporary, path);
    const top = made === undefined ? dirname(path) : dirname(made);
    for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder))
      syncFolder(folder);
  } catch (error) {
    remove(temporary);
    throw toFailure(path, error);
  }
}

/** Undefined when there is no such file. */
export function readText(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length > longest) throw new Error("it is longer than any plan");
    return text;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw toFailure(path, error);
  }
}

/** The names in a folder; none when it is not there. */
export function listSortedNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw toFailure(folder, error);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never made; the first error says why.
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

function toFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("plan.disk", `${path}: ${(error as Error).message}`, {
    cause: error,
    hint: "Is .pairflow/plans readable and writable for you (ls -ld shows its owner), and the disk not full?",
  });
}
