// A parser fed with inputs without end: it answers or refuses, never fails otherwise, and never takes long.
import { inputOf, type Matter } from "./fuzz-mutate.ts";

export interface Target extends Matter {
  readonly name: string;
  /** Reads one input. What must never come of it is returned as a sentence; a usage error may be thrown. */
  read(text: string): string | undefined;
}

export interface Campaign {
  readonly inputs: number;
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly problems: readonly string[];
}

const isUsageError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && (error as { usage?: unknown }).usage === true;

/** No input may take longer, nor longer than so many usual ones. */
const limitMs = 250;
const ratio = 500;
const enough = 5;

/** Reads inputs number `from` up to `from + count`, and says what went wrong, with the number to look at. */
export function fuzz(target: Target, count: number, from = 0): Campaign {
  const times = new Float64Array(count);
  const problems: string[] = [];
  const slow: number[] = [];
  for (let n = 0; n < count && problems.length < enough; n++) {
    const text = inputOf(target, from + n);
    const started = performance.now();
    const problem = problemOf(target, text);
    times[n] = performance.now() - started;
    if (problem) problems.push(`input ${from + n}: ${problem}\n${JSON.stringify(text.slice(0, 600))}`);
    if ((times[n] ?? 0) > limitMs) slow.push(from + n);
  }
  const sorted = times.slice().sort();
  const medianMs = sorted[count >> 1] ?? 0;
  return {
    inputs: count,
    medianMs,
    slowestMs: sorted[count - 1] ?? 0,
    problems: [...problems, ...slow.flatMap((n) => slowness(target, n, medianMs))],
  };
}

function problemOf(target: Target, text: string): string | undefined {
  try {
    return target.read(text);
  } catch (error) {
    if (isUsageError(error)) return undefined;
    return `it threw ${error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : JSON.stringify(error)}`;
  }
}

/** Was it the input, or the machine? The best of three more goes decides, by the work done and not by the clock. */
function slowness(target: Target, number: number, medianMs: number): string[] {
  const text = inputOf(target, number);
  const best = Math.min(...[1, 2, 3].map(() => workOf(() => problemOf(target, text))));
  return best > limitMs && best > ratio * medianMs
    ? [
        `input ${number} (${text.length} characters) takes ${best.toFixed(0)} ms, the usual one ${medianMs.toFixed(3)} ms`,
      ]
    : [];
}

/** Milliseconds of a processor, however many others want it. */
function workOf(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
