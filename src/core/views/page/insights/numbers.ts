// Sums and medians, and how long a bubble took.
import type { RunFacts } from "../../../model/page/facts.ts";
import { parseTime } from "../../../model/value/time.ts";

export const addUp = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Null of nothing; of an even number the lower of the two in the middle, so that it is a value that was there. */
export function computeMedian(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}

/** From its start to its end, a person's time included. */
export const measureRun = ({ began_at: began, ended_at: ended }: RunFacts): number =>
  Math.max(0, parseTime(ended) - parseTime(began));
