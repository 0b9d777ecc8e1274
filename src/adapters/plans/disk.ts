// How plans reach the disk: a file is replaced at once, and is on the disk when the call returns.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../ports/failure.ts";
import { getErrorCode, listNames, makeFolder, replaceFile } from "../disk/files.ts";

/** Far longer files are no plans, and would only be slow to read. */
const longest = 1_000_000;

/** Makes the folder if need be; a reader sees the old or the new text, never a part. Equal text is not written again. */
export function writePlanFile(path: string, text: string): void {
  try {
    if (readText(path) === text) return;
    makeFolder(dirname(path));
    replaceFile(path, text, { durable: true, mode: 0o666 });
  } catch (error) {
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
    if (["ENOENT", "ENOTDIR"].includes(getErrorCode(error) ?? "")) return undefined;
    throw toFailure(path, error);
  }
}

/** The names in a folder; none when it is not there. */
export function listSortedNames(folder: string): string[] {
  try {
    return listNames(folder).sort();
  } catch (error) {
    throw toFailure(folder, error);
  }
}

function toFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("plan.disk", `${path}: ${(error as Error).message}`, {
    cause: error,
    hint: "Is .pairflow/plans readable and writable for you (ls -ld shows its owner), and the disk not full?",
  });
}
