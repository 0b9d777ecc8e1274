// The driver: does what is owed, as long as something is. It holds no rules and no state of its own; killed at any
// point, the next driver folds the log and continues.
import type { Effect } from "../../core/bubble/due/effect.ts";
import { listDueEffects, mayFinish } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { State } from "../../core/model/state.ts";
import { parseTime } from "../../core/model/value/time.ts";
import { Failure } from "../../ports/failure.ts";
import type { Head } from "../../ports/record/log.ts";
import type { Beat } from "../../ports/record/records.ts";
import { handle } from "../handle/command.ts";
import { PipelineViews } from "../views/pipeline.ts";
import { SilenceWatch } from "../watch/silence.ts";
import { requireTrust } from "../world/trust.ts";
import { WakeUp } from "../world/wake-up.ts";
import type { World } from "../world/world.ts";
import { listAffordable, stopOverBudget } from "./affordable.ts";
import { Jobs } from "./jobs.ts";
import { endHeadlessTurn } from "./leave.ts";
import { performEffect } from "./perform.ts";
import { buildFirstBeat, endWorkHere, HeldPlace, isReplaced, loadKnown } from "./place.ts";
import { takeOver } from "./take-over.ts";

export interface DriveOptions {
  readonly signal: AbortSignal;
  /** Called with every new state and on the driver's own beat, for a screen. */
  readonly onState?: (state: State, beat: Beat) => void;
  readonly onFailure?: (failure: Failure) => void;
  /** Return when nothing can happen without a human, instead of waiting for one. */
  readonly leaveWhenWaiting?: boolean;
  /** Asked between turns, when no process of the bubble lives: whether it shall be driven by another machine. */
  readonly leaves?: (state: State) => boolean;
}

/** Drives one bubble until it has ended (or waits, if asked to leave then). Refuses when somebody else drives it. */
export async function drive(world: World, bubble: string, options: DriveOptions): Promise<State> {
  await requireTrust(world, await loadKnown(world, bubble));
  let state = await driveUntilLeft(world, bubble, options);
  while (options.leaveWhenWaiting && !options.signal.aborted && (await isLeftAlone(world, state)))
    state = await driveUntilLeft(world, bubble, options);
  return state;
}

/** Whoever decides while a driver is leaving still sees it and starts no other one: so it looks back once more. */
async function isLeftAlone(world: World, left: State): Promise<boolean> {
  const { seq, lifecycle, pause } = await loadKnown(world, left.bubbleId);
  const goesOn = seq !== left.seq && lifecycle === "RUNNING" && !pause;
  return goesOn && !(await world.runtime.living(left.bubbleId));
}

async function driveUntilLeft(world: World, bubble: string, options: DriveOptions): Promise<State> {
  const driver = world.chance.id();
  const beat = buildFirstBeat(world, bubble, driver);
  const place = new HeldPlace(world);
  const claim = await world.runtime.claim(bubble, beat);
  if (!claim.ok) {
    const { pid, host } = claim.holder;
    await endWorkHere(world, bubble, driver);
    throw new Failure("driver.running", `${bubble} is driven already by process ${pid} on ${host}`, {
      hint: `pairflow bubble attach --id ${bubble}`,
    });
  }
  const wakeUp = new WakeUp();
  const ears = new AbortController();
  const stop = () => wakeUp.signal();
  options.signal.addEventListener("abort", stop);
  const jobs = buildJobs(world, bubble, driver, { wakeUp, place }, options);
  const door = await world.verbs.listen(bubble);
  let isLost = false;
  try {
    world.records.pace?.(cacheMs);
    const { head, hasClaimed } = await takeOver(world, bubble, driver);
    void listen(world, bubble, head, wakeUp, ears.signal);
    const left = await driveRounds(
      world,
      bubble,
      {
        ...{ beat, place, hasClaimed, jobs, wakeUp },
        silence: new SilenceWatch(world, driver),
        views: new PipelineViews(world, driver),
      },
      options,
    );
    isLost = left.isLost;
    return left.state;
  } finally {
    options.signal.removeEventListener("abort", stop);
    ears.abort();
    await jobs.endAll();
    if (isLost) await endWorkHere(world, bubble, driver);
    else if (options.signal.aborted) await endHeadlessTurn(world, bubble, driver);
    await door.close();
    world.records.pace?.(0);
    await leavePlace(world, bubble, driver);
  }
}

/** A place that cannot be given back, because nobody can be asked, runs out by itself. */
async function leavePlace(world: World, bubble: string, driver: string): Promise<void> {
  try {
    await world.runtime.release(bubble, driver);
  } catch (error) {
    const runsOut = world.runtime.leaseMs !== undefined;
    if (!(runsOut && error instanceof Failure && error.retryable)) throw error;
  }
}

/** Steps may follow one another faster than anybody looks at beats, or reads the cache. */
const beatMs = 100;

const cacheMs = 50;

/** Between two looks at a store that cannot be reached. */
const unreachableMs = 1000;

interface Driving {
  readonly beat: Beat;
  readonly place: HeldPlace;
  /** The record names this driver; it does not where the bubble had ended before. */
  readonly hasClaimed: boolean;
  readonly jobs: Jobs;
  readonly wakeUp: WakeUp;
  readonly silence: SilenceWatch;
  readonly views: PipelineViews;
  beatAt?: number;
}

/** Why the loop was left: with the last state, and whether somebody else has the place. */
interface Left {
  readonly state: State;
  readonly isLost: boolean;
}

async function driveRounds(
  world: World,
  bubble: string,
  driving: Driving,
  options: DriveOptions,
): Promise<Left> {
  let last: State | undefined;
  for (;;) {
    let waitMs = unreachableMs;
    try {
      const round = await driveRound(world, bubble, driving, options);
      if ("isLost" in round) return round;
      ({ state: last, waitMs } = round);
    } catch (error) {
      if (last && driving.place.isLost(error)) return { state: last, isLost: true };
      if (!driving.place.outlasts(error)) throw error;
    }
    await driving.wakeUp.wait((over) => world.clock.sleep(waitMs, over));
  }
}

/** One look at what is owed, and what follows from it. */
async function driveRound(
  world: World,
  bubble: string,
  driving: Driving,
  options: DriveOptions,
): Promise<Left | { readonly state: State; readonly waitMs: number }> {
  const { jobs } = driving;
  const { driver } = driving.beat;
  const known = await loadKnown(world, bubble);
  if (isReplaced(known, driver, driving.hasClaimed)) return { state: known, isLost: true };
  const state = await stopOverBudget(world, known, driver);
  const signs = await driving.silence.look(state);
  const beat: Beat = {
    ...driving.beat,
    at: world.clock.now(),
    doing: world.talks.doing.join("; ") || jobs.names.join(" "),
    ...(signs.lastSignAt ? { lastSignAt: signs.lastSignAt } : {}),
  };
  const beatRestMs = getBeatRest(world, parseTime(beat.at), driving.beatAt);
  const isBeatDue = beatRestMs <= 0;
  if (isBeatDue) {
    if (!(await driving.place.beat(bubble, beat))) return { state, isLost: true };
    driving.beatAt = parseTime(beat.at);
  }
  await driving.views.look(state);
  options.onState?.(state, beat);
  if (options.signal.aborted) return { state, isLost: false };
  const effects = await listAffordable(world, state, driver);
  const resting = await findRestingChildren(world, state, effects);
  if (jobs.settled(effects, resting) && (isFinal(state.lifecycle) || options.leaveWhenWaiting))
    return { state, isLost: false };
  if (isBetweenTurns(state, effects, jobs) && options.leaves?.(state)) return { state, isLost: false };
  jobs.reconcile(effects, mayFinish(state));
  // A beat that was left out is made up for soon: its time must not stop while nothing happens.
  const waitMs = Math.min(chooseWait(signs.waitMs, effects), isBeatDue ? signs.waitMs : beatRestMs);
  return { state, waitMs: Math.min(waitMs, (world.runtime.leaseMs ?? Number.POSITIVE_INFINITY) / 3) };
}

/** How long the next beat can wait. A store on the network is told as often as its lease needs it, and not at every step. */
function getBeatRest({ runtime }: World, now: number, last = Number.NEGATIVE_INFINITY): number {
  const everyMs = runtime.leaseMs === undefined ? beatMs : Math.max(beatMs, runtime.leaseMs / 3);
  return everyMs - Math.abs(now - last);
}

/** What only waits, and can wait on any machine. */
const waits: readonly Effect["kind"][] = ["child", "clock"];

/** No agent, gate or setup of the bubble is at work. */
function isBetweenTurns({ turn }: State, effects: readonly Effect[], jobs: Jobs): boolean {
  const waiting = new Set(effects.flatMap(({ kind, key }) => (waits.includes(kind) ? [key] : [])));
  return (turn === undefined || turn.status === "due") && jobs.names.every((key) => waiting.has(key));
}

/** What children do does not wake their parent before they report. */
const chooseWait = (waitMs: number, effects: readonly Effect[]): number =>
  effects.some(({ kind }) => kind === "child") ? Math.min(waitMs, 1000) : waitMs;

/** The keys of children with whom nothing happens without a human: their report brings a driver back. */
async function findRestingChildren(
  world: World,
  { children }: State,
  effects: readonly Effect[],
): Promise<ReadonlySet<string>> {
  const resting = new Set<string>();
  for (const effect of effects) {
    if (effect.kind !== "child") continue;
    const bubble = children?.each.find(({ child }) => child.key === effect.child.key)?.bubble;
    if (bubble && (await world.siblings.rests(bubble))) resting.add(effect.key);
  }
  return resting;
}

function buildJobs(
  world: World,
  bubble: string,
  driver: string,
  { wakeUp, place }: { readonly wakeUp: WakeUp; readonly place: HeldPlace },
  options: DriveOptions,
): Jobs {
  return new Jobs({
    async perform(effect, signal) {
      const state = await loadKnown(world, bubble);
      world.crashPoint(`drive.${effect.kind}.before`);
      if (listDueEffects(state).some((owed) => owed.key === effect.key))
        await performEffect({ world, state, driver, signal }, effect);
      world.crashPoint(`drive.${effect.kind}.after`);
    },
    pause: (ms) => world.clock.sleep(ms, options.signal),
    onFailure: (failure) => options.onFailure?.(failure),
    outlasts: (failure) => place.outlasts(failure),
    async giveUp(failure, effect) {
      if (isOfTheMachine(failure)) throw failure;
      const message = `${effect.kind}: ${failure.message}${failure.hint ? ` (${failure.hint})` : ""}`;
      await handle(world, bubble, {
        type: "fail",
        actor: { kind: "driver", id: driver },
        code: failure.code,
        message,
      });
    },
    changed: () => wakeUp.signal(),
  });
}

/** A full disk, somebody's lock or a log one cannot build on leaves nothing to record: the driver leaves, and the next one finds all as it is. */
function isOfTheMachine({ code, retryable }: Failure): boolean {
  return retryable || /\.(disk-full|read-only|read-failed)$|^log\.(damaged|newer)$/.test(code);
}

async function listen(
  world: World,
  bubble: string,
  from: Head,
  wakeUp: WakeUp,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _batch of world.log.subscribe(bubble, from, signal)) wakeUp.signal();
  } catch {
    // The loop's own timer still wakes it; a broken subscription only costs promptness.
    wakeUp.signal();
  }
}
