// The effects under way: each key at most once, ended when it is owed no more, tried again with back-off when the
// world fails, and given up by telling the referee.
import type { Effect } from "../../core/bubble/due/effect.ts";
import { Failure } from "../../ports/failure.ts";

interface Job {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export interface JobRules {
  perform(effect: Effect, signal: AbortSignal): Promise<void>;
  /** Waits before another try. */
  pause(ms: number): Promise<void>;
  onFailure(failure: Failure, effect: Effect): void;
  /** Whether a failure is tried again however often it comes: as long as this driver may go on. */
  outlasts(failure: Failure): boolean;
  /** Tells the referee. Throws when that is not the bubble's fault, or cannot be told: then the driver itself ends. */
  giveUp(failure: Failure, effect: Effect): Promise<void>;
  /** Something ended: look again at what is owed. */
  changed(): void;
}

const maxTries = 5;
/** Effects that leave no line on this bubble's record: once done, they stay done for this driver. */
const unrecorded = new Set<Effect["kind"]>([
  "notify",
  "close",
  "report",
  "learn",
  "stop-child",
  "pause-child",
]);

export class Jobs {
  private readonly running = new Map<string, Job>();
  private readonly finished = new Set<string>();
  private readonly failures = new Map<string, number>();
  /** A bug, or a failure that this driver cannot continue with: thrown at the next look. */
  private fatal: unknown;
  private isOver = false;
  private readonly rules: JobRules;

  constructor(rules: JobRules) {
    this.rules = rules;
  }

  get names(): string[] {
    return [...this.running.keys()];
  }

  /** Nothing is under way and nothing of this list remains to be begun, beside what only waits for a human. */
  settled(effects: readonly Effect[], waiting: ReadonlySet<string> = new Set()): boolean {
    const isOver = ({ key }: Effect) => this.finished.has(key) || waiting.has(key);
    return [...this.running.keys()].every((key) => waiting.has(key)) && effects.every(isOver);
  }

  /** Begins what is owed and not under way; ends what is under way and neither owed any more nor allowed to finish. */
  reconcile(effects: readonly Effect[], mayFinish: readonly Effect[] = []): void {
    if (this.fatal) throw this.fatal;
    if (this.isOver) return;
    const keys = new Set([...effects, ...mayFinish].map((effect) => effect.key));
    for (const [key, job] of this.running) if (!keys.has(key)) job.abort.abort();
    for (const effect of effects)
      if (!this.running.has(effect.key) && !this.finished.has(effect.key)) this.begin(effect);
  }

  /** Ends everything; nothing is begun any more. */
  async endAll(): Promise<void> {
    this.isOver = true;
    for (const job of this.running.values()) job.abort.abort();
    await Promise.allSettled([...this.running.values()].map((job) => job.done));
  }

  private begin(effect: Effect): void {
    const abort = new AbortController();
    const done = this.run(effect, abort.signal).finally(() => {
      this.running.delete(effect.key);
      this.rules.changed();
    });
    this.running.set(effect.key, { abort, done });
  }

  private async run(effect: Effect, signal: AbortSignal): Promise<void> {
    try {
      await this.rules.perform(effect, signal);
      if (unrecorded.has(effect.kind)) this.finished.add(effect.key);
    } catch (error) {
      if (!(error instanceof Failure)) this.fatal = error;
      else if (!signal.aborted) await this.failed(effect, error);
    }
  }

  private async failed(effect: Effect, failure: Failure): Promise<void> {
    const tries = (this.failures.get(effect.key) ?? 0) + 1;
    this.failures.set(effect.key, tries);
    this.rules.onFailure(failure, effect);
    if (tries < maxTries || this.rules.outlasts(failure))
      return this.rules.pause(100 * 2 ** Math.min(tries, maxTries));
    try {
      await this.rules.giveUp(failure, effect);
    } catch (error) {
      this.fatal = error;
    }
  }
}
