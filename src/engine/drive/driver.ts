// The driver: does what is owed, as long as something is. It holds no rules and no state of its own; killed at any
// point, the next driver folds the log and continues.
import { type Effect, listDueEffects, mayFinish } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { describeBudgetLines, mayBeStopped } from "../../core/limits/budget.ts";
import type { State } from "../../core/model/state.ts";
import { parseTime } from "../../core/model/value/time.ts";
import { Failure } from "../../ports/failure.ts";
import type { Head } from "../../ports/record/log.ts";
import type { Beat } from "../../ports/record/records.ts";
import { handle, load } from "../handle/command.ts";
import { PipelineViews } from "../views/pipeline.ts";
import { SilenceWatch } from "../watch/silence.ts";
import { findOverspent, findOverspentAbove } from "../watch/tree-budget.ts";
import { requireTrust } from "../world/trust.ts";
import { WakeUp } from "../world/wake-up.ts";
import { buildWorkMarker, getWorkspacePlace, type World } from "../world/world.ts";
import { Jobs } from "./jobs.ts";
import { endHeadlessTurn } from "./leave.ts";
import { performEffect } from "./perform.ts";
import { buildFirstBeat, loadKnown } from "./place.ts";

export interface DriveOptions {
  readonly signal: AbortSignal;
  /** Called with every new state and on the driver's own beat, for a screen. */
  readonly onState?: (state: State, beat: Beat) => void;
  readonly onFailure?: (failure: Failure) => void;
  /** Return when nothing can happen without a human, instead of waiting for one. */
  readonly leaveWhenWaiting?: boolean;
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
  const claim = await world.runtime.claim(bubble, beat);
  if (!claim.ok) {
    throw new Failure("driver.running", `${bubble} is driven already by process ${claim.holder.pid}`, {
      hint: `pairflow bubble attach --id ${bubble}`,
    });
  }
  const wakeUp = new WakeUp();
  const ears = new AbortController();
  const stop = () => wakeUp.signal();
  options.signal.addEventListener("abort", stop);
  const jobs = buildJobs(world, bubble, driver, wakeUp, options);
  const door = await world.verbs.listen(bubble);
  try {
    world.records.pace?.(cacheMs);
    const head = await takeOver(world, bubble, driver);
    void listen(world, bubble, head, wakeUp, ears.signal);
    return await driveRounds(
      world,
      bubble,
      {
        beat,
        jobs,
        wakeUp,
        silence: new SilenceWatch(world, driver),
        views: new PipelineViews(world, driver),
      },
      options,
    );
  } finally {
    options.signal.removeEventListener("abort", stop);
    ears.abort();
    await jobs.endAll();
    if (options.signal.aborted) await endHeadlessTurn(world, bubble, driver);
    await door.close();
    world.records.pace?.(0);
    await world.runtime.release(bubble, driver);
  }
}

/** Steps may follow one another faster than anybody looks at beats, or reads the cache. */
const beatMs = 100;
const cacheMs = 50;

interface Driving {
  readonly beat: Beat;
  readonly jobs: Jobs;
  readonly wakeUp: WakeUp;
  readonly silence: SilenceWatch;
  readonly views: PipelineViews;
}

async function driveRounds(
  world: World,
  bubble: string,
  driving: Driving,
  options: DriveOptions,
): Promise<State> {
  const { jobs, wakeUp } = driving;
  let beatAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const state = await stopOverBudget(world, await loadKnown(world, bubble), driving.beat.driver);
    const signs = await driving.silence.look(state);
    const beat: Beat = {
      ...driving.beat,
      at: world.clock.now(),
      doing: world.talks.doing.join("; ") || jobs.names.join(" "),
      ...(signs.lastSignAt ? { lastSignAt: signs.lastSignAt } : {}),
    };
    const isBeatDue = Math.abs(parseTime(beat.at) - beatAt) >= beatMs;
    if (isBeatDue) {
      await world.runtime.beat(bubble, beat);
      beatAt = parseTime(beat.at);
    }
    await driving.views.look(state);
    options.onState?.(state, beat);
    if (options.signal.aborted) return state;
    const effects = await listAffordable(world, state, driving.beat.driver);
    const resting = await findRestingChildren(world, state, effects);
    if (jobs.settled(effects, resting) && (isFinal(state.lifecycle) || options.leaveWhenWaiting))
      return state;
    jobs.reconcile(effects, mayFinish(state));
    // A beat that was left out is made up for soon: its time must not stop while nothing happens.
    const waitMs = Math.min(chooseWait(signs.waitMs, effects), isBeatDue ? signs.waitMs : beatMs);
    await wakeUp.wait((over) => world.clock.sleep(waitMs, over));
  }
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

/** A hard limit that is reached stops the bubble before anything more is spent. */
async function stopOverBudget(world: World, state: State, driver: string): Promise<State> {
  const over = mayBeStopped(state) ? await findOverspent(world, state) : undefined;
  if (!over) return state;
  const actor = { kind: "driver", id: driver } as const;
  const { children } = over;
  const { state: after } = await handle(world, state.bubbleId, { type: "check-budget", actor, children });
  return after ?? state;
}

/** What is owed, without a turn that a spent budget above holds back: there a human is asked, and here the turn ends. */
async function listAffordable(world: World, state: State, driver: string): Promise<readonly Effect[]> {
  const effects = listDueEffects(state);
  const { turn } = state;
  if (!turn || turn.status === "claimed" || !mayBeStopped(state) || !state.parent) return effects;
  const above = await findOverspentAbove(world, state);
  const [first] = above;
  if (!first) return effects;
  const actor = { kind: "driver", id: driver } as const;
  for (const { state: its, children } of above)
    if (mayBeStopped(its)) await handle(world, its.bubbleId, { type: "check-budget", actor, children });
  if (turn.status === "running") {
    const detail = `the budget of ${first.state.bubbleId} is used up: ${describeBudgetLines(first.lines)}`;
    const { id, attempt } = turn;
    const end = { type: "turn-ended", actor, turn: id, attempt, outcome: "over-budget", detail } as const;
    await handle(world, state.bubbleId, end);
  }
  return effects.filter(({ kind }) => kind !== "start-turn" && kind !== "watch-turn");
}

function buildJobs(
  world: World,
  bubble: string,
  driver: string,
  wakeUp: WakeUp,
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

/** A new driver ends the gates its predecessor left behind; living turns are adopted by whoever watches them. */
async function takeOver(world: World, bubble: string, driver: string): Promise<Head> {
  const { state, head } = await load(world, bubble, true);
  if (!state)
    throw new Failure("bubble.unknown", `there is no bubble ${bubble}`, { hint: "pairflow bubble list" });
  if (isFinal(state.lifecycle)) return head;
  await world.processes.end(buildWorkMarker(world, bubble, "gate-*"));
  await world.processes.end(buildWorkMarker(world, bubble, "setup*"));
  world.crashPoint("drive.leftovers");
  const agents = [...new Set(Object.values(state.config.agents))];
  await world.seats.open(bubble, {
    cwd: state.workspace ? getWorkspacePlace(world, state).path : state.config.repo_path,
    agents,
    title: state.task.title,
  });
  await handle(world, bubble, {
    type: "claim-driver",
    actor: { kind: "driver", id: driver },
    pid: world.pid,
    host: world.host,
    seat: world.seats.kind,
  });
  return head;
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
