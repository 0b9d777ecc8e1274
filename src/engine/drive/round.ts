// One look of a driver at its bubble: what is owed now, what is begun and ended because of it, and whether it has to leave.
import type { Effect } from "../../core/bubble/due/effect.ts";
import { listDueEffects, mayFinish } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { mayBelongElsewhere } from "../../core/bubble/needed-labels.ts";
import { describeBudgetLines, mayBeStopped } from "../../core/limits/budget.ts";
import type { State } from "../../core/model/state.ts";
import { parseTime } from "../../core/model/value/time.ts";
import type { Failure } from "../../ports/failure.ts";
import type { Beat } from "../../ports/record/records.ts";
import { handle } from "../handle/command.ts";
import type { PipelineViews } from "../views/pipeline.ts";
import type { SilenceWatch } from "../watch/silence.ts";
import { findOverspent, findOverspentAbove } from "../watch/tree-budget.ts";
import type { WakeUp } from "../world/wake-up.ts";
import type { World } from "../world/world.ts";
import type { Jobs } from "./jobs.ts";
import { type HeldPlace, isReplaced, loadKnown } from "./place.ts";

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

/** Steps may follow one another faster than anybody looks at beats. */
const beatMs = 100;

export interface Driving {
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

/** Why the loop was left: with the last state, and whether the place is lost: to somebody else, or because nobody answers. */
export interface Left {
  readonly state: State;
  readonly lost?: "replaced" | "unheard";
}

/** One look at what is owed, and what follows from it. */
export async function driveRound(
  world: World,
  bubble: string,
  { driving, over }: { readonly driving: Driving; readonly over: AbortSignal },
  options: DriveOptions,
): Promise<Left | { readonly state: State; readonly waitMs: number }> {
  const { jobs } = driving;
  const { driver } = driving.beat;
  const known = await loadKnown(world, bubble);
  if (isReplaced(known, driver, driving.hasClaimed)) return { state: known, lost: "replaced" };
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
    if (!(await driving.place.beat(beat))) return { state, lost: "replaced" };
    driving.beatAt = parseTime(beat.at);
  }
  await driving.views.look(state);
  if (over.aborted) return { state };
  options.onState?.(state, beat);
  if (options.signal.aborted) return { state };
  const effects = await listAffordable(world, state, driver);
  const resting = await findRestingChildren(world, state, effects);
  if (jobs.settled(effects, resting) && (isFinal(state.lifecycle) || options.leaveWhenWaiting))
    return { state };
  const leaves = options.leaves?.(state) === true;
  if (leaves && isBetweenTurns(state, effects, jobs)) return { state };
  beginOwed(jobs, state, effects, leaves);
  // A beat that was left out is made up for soon: its time must not stop while nothing happens.
  const waitMs = Math.min(chooseWait(signs.waitMs, effects), isBeatDue ? signs.waitMs : beatRestMs);
  return {
    state,
    waitMs: Math.min(waitMs, (world.runtime.leaseMs ?? Number.POSITIVE_INFINITY) / beatsInLease),
  };
}

/** What another machine shall have is not begun here, also while the last gate still ends. */
function beginOwed(jobs: Jobs, state: State, effects: readonly Effect[], leaves: boolean): void {
  const held = leaves ? effects.filter(mayBelongElsewhere) : [];
  const begun = effects.filter((effect) => !held.includes(effect));
  jobs.reconcile(begun, [...mayFinish(state), ...held]);
}

/** How often in a lease the place is told: a store that is away for two thirds of one costs nobody's place. */
const beatsInLease = 4;

/** How long the next beat can wait. A store on the network is told as often as its lease needs it, and not at every step. */
function getBeatRest({ runtime }: World, now: number, last = Number.NEGATIVE_INFINITY): number {
  const everyMs = runtime.leaseMs === undefined ? beatMs : Math.max(beatMs, runtime.leaseMs / beatsInLease);
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
