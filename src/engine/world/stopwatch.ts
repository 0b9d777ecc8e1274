// How long ago something was, measured. Moments on the record come from the wall clock, which may be set while a turn runs;
// from the first time that this process has seen a moment it counts by a clock that only goes forward.
import { getTurnStart } from "../../core/limits/watchdog.ts";
import type { State } from "../../core/model/state.ts";
import { formatTime, parseTime } from "../../core/model/value/time.ts";
import type { Clock } from "../../ports/system/clock.ts";

interface Mark {
  /** What was seen, which distinguishes a new moment from the old one. */
  readonly seen: string;
  /** When it was, by the steady clock. */
  readonly since: number;
  /** When somebody last asked. */
  readonly asked: number;
}

export class Stopwatch {
  readonly #clock: Clock;
  readonly #marks = new Map<string, Mark>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  steady(): number {
    return this.#clock.steady?.() ?? parseTime(this.#clock.now());
  }

  /**
   * Milliseconds since the moment of a thing. On first sight the record's own times tell, never less than nothing; a moment
   * that is new since the last question cannot be older than that question.
   */
  since(thing: string, { seen, moment, now }: { seen: string; moment: number; now: number }): number {
    const steady = this.steady();
    const known = this.#marks.get(thing);
    if (known?.seen === seen) {
      this.#marks.set(thing, { ...known, asked: steady });
      return steady - known.since;
    }
    const passed = Math.min(
      Math.max(0, now - moment),
      known ? steady - known.asked : Number.POSITIVE_INFINITY,
    );
    this.#marks.set(thing, { seen, since: steady - passed, asked: steady });
    return passed;
  }
}

const stopwatches = new WeakMap<Clock, Stopwatch>();

/** The one stopwatch of a clock: every caller in this process gets the same answer. */
export function getStopwatch({ clock }: { readonly clock: Clock }): Stopwatch {
  const found = stopwatches.get(clock) ?? new Stopwatch(clock);
  stopwatches.set(clock, found);
  return found;
}

/** Now, as the record counts: a log that lies in the future is not waited for. */
export function recordNow({ clock }: { readonly clock: Clock }, { lastAt }: Pick<State, "lastAt">): string {
  const now = clock.now();
  return lastAt > now ? lastAt : now;
}

/** How long the running turn has been at work without a pause; undefined when none is. */
export function measureTurnMs(world: { readonly clock: Clock }, state: State): number | undefined {
  const begun = getTurnStart(state);
  if (begun === undefined || !state.turn) return undefined;
  const seen = `${state.turn.id}.${state.turn.attempt} ${begun}`;
  const now = parseTime(recordNow(world, state));
  // What a pause has moved is measured anew: the record knows how long it was.
  const thing = `${state.bubbleId} turn ${state.pauses ?? 0}`;
  return getStopwatch(world).since(thing, { seen, moment: begun, now });
}

/** Now, such that the running turn has worked as long as was measured. */
export function computeMeasuredNow(world: { readonly clock: Clock }, state: State): string {
  const [begun, worked] = [getTurnStart(state), measureTurnMs(world, state)];
  return begun === undefined || worked === undefined
    ? recordNow(world, state)
    : formatTime(begun + Math.round(worked));
}

/** Sleeps until so many milliseconds have really passed, however the clock is set meanwhile. */
export async function sleepFor(
  world: { readonly clock: Clock },
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const watch = getStopwatch(world);
  const until = watch.steady() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = until - watch.steady())
    await world.clock.sleep(Math.min(Math.max(1, left), sliceMs), signal);
}

/** A machine that was asleep is noticed after this long. */
const sliceMs = 60_000;
