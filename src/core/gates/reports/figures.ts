// The result of every coverage report: the number of lines, and how many of them are covered. A report without a single line
// proves nothing and counts as none.
import { isObject } from "../../schema/absent.ts";

export interface Figures {
  readonly total: number;
  readonly covered: number;
}

/** Figures that can be true: whole numbers, at least one line, no more covered than there are. */
export function buildFigures(total: unknown, covered: unknown): Figures | undefined {
  if (!isCount(total) || !isCount(covered) || total === 0 || covered > total) return undefined;
  return { total, covered };
}

/** All parts together, or nothing when one of them is no count. */
export function addFigures(parts: readonly { total: unknown; covered: unknown }[]): Figures | undefined {
  let total = 0;
  let covered = 0;
  for (const part of parts) {
    if (!isCount(part.total) || !isCount(part.covered)) return undefined;
    total += part.total;
    covered += part.covered;
  }
  return buildFigures(total, covered);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** A table of a JSON report, or an empty one in its place. */
export function readTable(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
