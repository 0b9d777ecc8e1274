// The form of one finding of the doctor, and the check that several tools share.
import { omitUndefined } from "../../core/model/value/defined.ts";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";

/** What a person would look for together; the order of the screen. */
export const groups = ["machine", "repository", "store", "disk", "agents", "leftovers"] as const;
export type Group = (typeof groups)[number];

export interface Check {
  readonly name: string;
  /** A warning stops nobody: something is missing that not everybody needs, or is merely untidy. */
  readonly status: "ok" | "warning" | "error";
  readonly says: string;
  /** A line to paste into a shell. */
  readonly fix?: string;
}

export const reportOk = (name: string, says: string): Check => ({ name, status: "ok", says });
export const reportWarning = (name: string, says: string, fix?: string): Check =>
  omitUndefined({ name, status: "warning" as const, says, fix });
export const reportError = (name: string, says: string, fix?: string): Check =>
  omitUndefined({ name, status: "error" as const, says, fix });

/** A check in its place on the screen. */
export interface DoctorFinding extends Check {
  readonly group: Group;
}

type Version = readonly [major: number, minor: number];

/** Judges the first version number in a text; a text without one means that the tool is not there. */
export function checkVersion(name: string, text: string, [major, minor]: Version, fix: string): Check {
  const version = findVersion(text);
  if (!version) return reportError(name, "not installed, or not on the PATH", fix);
  if (!isOlder(version, `${major}.${minor}`)) return reportOk(name, version);
  return reportError(name, `${version} is too old; ${major}.${minor} is needed`, fix);
}

/** The first version number in what a program says of itself. */
export function findVersion(text: string): string | undefined {
  return /\d+\.\d+\S*/.exec(text)?.[0];
}

/** Compares by numbers; what follows them (3.3a, 1.0.0-beta) does not count. */
export function isOlder(version: string, than: string): boolean {
  const [found, wanted] = [listNumbers(version), listNumbers(than)];
  for (const [i, number] of wanted.entries()) {
    const mine = found[i] ?? 0;
    if (mine !== number) return mine < number;
  }
  return false;
}

function listNumbers(version: string): number[] {
  const [leading = ""] = /^[\d.]+/.exec(version) ?? [];
  return leading.split(".").filter(Boolean).map(Number);
}

/** The line that opens a file in whatever this person edits with. */
export function editLine(file: string): string {
  return `\${EDITOR:-vi} ${quoteShellWord(file)}`;
}
