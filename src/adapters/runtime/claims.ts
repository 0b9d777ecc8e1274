// Who drives a bubble: a folder of numbered claims, of which the highest counts. A claim is one link() of a
// finished file, so for each number exactly one process wins; a number is only taken behind a claim that is over.
import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { Beat } from "../../ports/record/records.ts";
import type { ProcessMark } from "../../ports/system/lock.ts";
import { buildTemporaryPath, listNames } from "../disk/files.ts";

export interface DriverClaim {
  readonly beat: Beat;
  readonly mark: ProcessMark;
  readonly released?: boolean;
}

export interface NumberedClaim {
  readonly number: number;
  /** Undefined when the file holds no claim, as after a power cut: then nobody holds it. */
  readonly claim: DriverClaim | undefined;
}

/** The claim that counts, or number 0 when there never was one. */
export function findNewestClaim(folder: string): NumberedClaim {
  for (;;) {
    const number = listNumbersIn(folder).at(-1) ?? 0;
    if (number === 0) return { number, claim: undefined };
    try {
      return { number, claim: parse(readFileSync(join(folder, String(number)), "utf8")) };
    } catch (error) {
      // Swept away in this very moment: there is a newer one.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/**
 * Takes the number after `behind`; false when somebody else did. Looking again is needed because older numbers
 * are swept away: a slow process may take one that has long been passed.
 */
export function takeNext(folder: string, behind: number, claim: DriverClaim): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, String(behind + 1));
  const temporary = writeTemporary(folder, claim);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    remove(temporary);
  }
  const numbers = listNumbersIn(folder);
  if (numbers.at(-1) !== behind + 1) {
    remove(path);
    return false;
  }
  for (const old of numbers.slice(0, -1)) remove(join(folder, String(old)));
  return true;
}

/** Gives a claim back. The file stays, since the numbers must never start again. */
export function markReleased(folder: string, number: number, claim: DriverClaim): void {
  renameSync(writeTemporary(folder, { ...claim, released: true }), join(folder, String(number)));
}

function listNumbersIn(folder: string): number[] {
  return listNames(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

function parse(text: string): DriverClaim | undefined {
  return tryOr(() => JSON.parse(text) as DriverClaim, undefined);
}

function writeTemporary(folder: string, claim: DriverClaim): string {
  const path = buildTemporaryPath(join(folder, "claim"));
  writeFileSync(path, `${JSON.stringify(claim)}\n`, { flag: "wx", mode: 0o600 });
  return path;
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
