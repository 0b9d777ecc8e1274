// Waiting for a moment that the record names: a wait is over, or a step or the run has had its time.
import type { EffectOf } from "../../core/bubble/due/effect.ts";
import { parseTime } from "../../core/model/value/time.ts";
import { type Job, report } from "../handle/job.ts";
import { recordNow, sleepFor } from "../world/stopwatch.ts";

export async function keepTime(job: Job, { what, at, entered }: EffectOf<"clock">): Promise<void> {
  const { world, state, signal } = job;
  await sleepFor(world, at - parseTime(recordNow(world, state)), signal);
  if (signal.aborted) return;
  await report(job, { type: "time-up", what, entered, measured: true });
}
