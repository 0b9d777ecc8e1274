// What is known of gates while they run: a small note beside the record, for people who wait. Nothing depends on it.
import { clip, keepEnd } from "../model/value/sizes.ts";
import { stripControlCharacters } from "./output/excerpt.ts";

/** The name under which a driver notes the gates that run now. */
export const runningNote = "gate";

export interface RunningGate {
  readonly name: string;
  /** When it started. */
  readonly since: string;
  /** The file its output grows in. */
  readonly output: string;
  /** It may reach the network: on a base that may be its second run. */
  readonly network?: true;
  /** How far it is in its own words, where it has no output. */
  readonly says?: string;
}

/** The gates of a note; none when it is empty, torn or from another time. */
export function parseRunningGates(note: string | undefined): RunningGate[] {
  try {
    const value: unknown = JSON.parse(note || "[]");
    return Array.isArray(value) ? value.filter(isRunning) : [];
  } catch {
    return [];
  }
}

function isRunning(value: unknown): value is RunningGate {
  const { name, since, output } = (value ?? {}) as Partial<Record<keyof RunningGate, unknown>>;
  return [name, since, output].every((part) => typeof part === "string");
}

/** The last line of output that says something, short enough for one line of a screen. */
export function findLastOutputLine(output: string, width = 100): string {
  const lines = stripControlCharacters(keepEnd(output, 8000)).split("\n");
  // A progress bar draws over itself: what stands behind the last return is what one sees.
  const seen = lines.map((line) => line.split("\r").findLast((part) => part.trim() !== "") ?? "");
  const said = (line: string) => /[\p{L}\p{N}]/u.test(line);
  const last = (seen.findLast(said) ?? seen.findLast((line) => line.trim() !== ""))?.trim() ?? "";
  return clip(last, width);
}
