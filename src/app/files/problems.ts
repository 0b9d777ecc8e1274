// What is wrong with a file that a person wrote: all problems at once, in the order of the file, each with its place.
import { clip } from "../../core/model/value/sizes.ts";
import { buildUsageError, type UsageError } from "../host/usage.ts";

export type ValuePath = readonly (string | number)[];
/** Whether a problem is about the word on the left of a setting or about the value on its right. */
export type PathPart = "key" | "value";

export interface Spot {
  readonly line: number;
  readonly column: number;
}

/** Where a path stands in the source: itself, or the nearest thing around it that the source does spell out. */
export type LocateProblem = (path: ValuePath, part: PathPart) => Spot | undefined;

export interface FileProblem {
  readonly code: string;
  readonly message: string;
  readonly path: ValuePath;
  readonly part: PathPart;
}

/** One usage error for all problems: the first in the file is its message and code, the others are its details. */
export function buildFileError(
  file: string,
  problems: readonly FileProblem[],
  places: LocateProblem,
  hint?: string,
): UsageError {
  const placed = problems.map((problem) => ({ problem, spot: places(problem.path, problem.part) }));
  placed.sort((a, b) => getLine(a.spot) - getLine(b.spot) || (a.spot?.column ?? 0) - (b.spot?.column ?? 0));
  const lines = placed.map(({ problem, spot }) => `${formatFileSpot(file, spot)}: ${problem.message}`);
  const [message = `${file} is not valid`, ...details] = lines;
  return buildUsageError(placed[0]?.problem.code ?? "config.invalid", message, hint, details);
}

/** What has no place (a missing setting) comes after what has one. */
const getLine = (spot: Spot | undefined): number => spot?.line ?? Number.MAX_SAFE_INTEGER;

export function formatFileSpot(file: string, spot: Spot | undefined): string {
  return spot ? `${file}:${spot.line}:${spot.column}` : file;
}

export function spotAt(text: string, offset: number): Spot {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** `scope.in[1]`, as a person would write it. */
export function spell(path: ValuePath): string {
  return path
    .map((word, i) => (typeof word === "number" ? `[${word}]` : i === 0 ? word : `.${word}`))
    .join("");
}

/** A wrong value, short enough for a sentence. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value instanceof Date) return "a date";
  if (typeof value === "object") return "a table";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return clip(text, 60);
}
