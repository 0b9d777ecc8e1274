// The whole measurement: every case as often as asked for, a few at a time, and a card of the results.
import { nodeClock } from "../../adapters/clock/node.ts";
import { type Card, tally } from "../../core/measure/card.ts";
import type { Case } from "../../core/measure/case.ts";
import type { MeasuredCase } from "../../core/measure/judge.ts";
import type { CaseSet } from "./case-set.ts";
import { reviewOnce } from "./review-once.ts";
import { getModel, type Reviewer } from "./reviewer.ts";

export interface Bench {
  readonly set: CaseSet;
  readonly cases: readonly Case[];
  readonly reviewer: Reviewer;
  readonly runs: number;
  /** How many reviews run at the same time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Told after each review. */
  tell(measured: MeasuredCase): void;
}

/** Measures a reviewer. Without a card it was interrupted. */
export async function measureReviewer(
  bench: Bench,
): Promise<{ readonly measured: readonly MeasuredCase[]; readonly card?: Card }> {
  const { set, cases, reviewer, runs, signal } = bench;
  const waiting = Array.from({ length: runs }, () => cases).flat();
  const measured = await runInTurns(bench, waiting);
  if (signal.aborted) return { measured };
  const head = {
    agent: reviewer.agent,
    adapter: reviewer.settings.adapter,
    model: getModel(reviewer.settings),
    at: nodeClock.now(),
    cases: set.version,
    whole: cases.length === set.cases.length,
    runs,
  };
  return { measured, card: tally(head, measured) };
}

/** One trouble ends all: the others are stopped and cleaned up before it is reported. */
async function runInTurns(
  { set, reviewer, jobs, ...bench }: Bench,
  waiting: Case[],
): Promise<MeasuredCase[]> {
  const measured: MeasuredCase[] = [];
  const trouble = new AbortController();
  const signal = AbortSignal.any([bench.signal, trouble.signal]);
  const worker = async () => {
    for (let one = waiting.shift(); one && !signal.aborted; one = waiting.shift()) {
      const result = await reviewOnce(set, one, { reviewer, signal });
      if (!result) continue;
      measured.push(result);
      bench.tell(result);
    }
  };
  const guarded = () =>
    worker().catch((error) => {
      trouble.abort();
      throw error;
    });
  const ends = await Promise.allSettled(Array.from({ length: jobs }, guarded));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return measured;
}
