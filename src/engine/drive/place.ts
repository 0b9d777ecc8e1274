// The driver's place at a bubble: what a driver says of itself when it takes it, and what is done there without a driver.
import { listDueEffects, mayFinish } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { State } from "../../core/model/state.ts";
import { starter } from "../../core/permission/driver-place.ts";
import { isSameHost } from "../../core/state/hosts.ts";
import { Failure } from "../../ports/failure.ts";
import type { Beat } from "../../ports/record/records.ts";
import { load } from "../handle/command.ts";
import { Stopwatch } from "../world/stopwatch.ts";
import { buildWorkMarker, type World } from "../world/world.ts";
import { performEffect } from "./perform.ts";

/** What a driver says of itself when it takes its place. */
export function buildFirstBeat(world: World, bubble: string, driver: string): Beat {
  const at = world.clock.now();
  const session = world.seats.sessionName?.(bubble);
  return {
    ...{ driver, pid: world.pid, host: world.host, startedAt: at, at, seat: world.seats.kind },
    ...(session === undefined ? {} : { session }),
  };
}

/** How long a last question is waited for when nobody has answered for a whole lease. */
const lastQuestionMs = 1000;

/** The place of one driver while it drives. A store on the network may be gone for a while: the place is kept as long as its lease. */
export class HeldPlace {
  readonly #world: World;
  readonly #bubble: string;
  readonly #watch: Stopwatch;
  #heldAt: number;
  /** What it said of itself last. */
  #said: Beat;

  constructor(world: World, bubble: string, first: Beat) {
    this.#world = world;
    this.#bubble = bubble;
    this.#watch = new Stopwatch(world.clock);
    this.#heldAt = this.#watch.steady();
    this.#said = first;
  }

  /** Whether the place is still held. */
  async beat(beat: Beat): Promise<boolean> {
    const asked = this.#watch.steady();
    this.#said = beat;
    const isHeld = await this.#world.runtime.beat(this.#bubble, beat);
    if (isHeld) this.#heldAt = asked;
    return isHeld;
  }

  /**
   * Returns when nobody has answered for a lease, whatever else is waited for: a call to a store that is away takes longer than that.
   * A machine that slept finds its place as it left it, or taken; so it asks once more, and not for long.
   */
  async waitUntilUnheard(over: AbortSignal): Promise<void> {
    const { runtime, clock } = this.#world;
    const { leaseMs = Number.POSITIVE_INFINITY } = runtime;
    while (leaseMs < Number.POSITIVE_INFINITY && !over.aborted) {
      const leftMs = this.#heldAt + leaseMs - this.#watch.steady();
      if (leftMs > 0) await clock.sleep(leftMs, over);
      else if (!(await this.#askOnceMore(Math.min(lastQuestionMs, leaseMs / 4), over))) return;
    }
    await new Promise(() => {});
  }

  async #askOnceMore(limitMs: number, over: AbortSignal): Promise<boolean> {
    const answered = new AbortController();
    const answer = this.beat(this.#said).catch(() => false);
    const noAnswer = this.#world.clock.sleep(limitMs, AbortSignal.any([over, answered.signal]));
    try {
      return await Promise.race([answer, noAnswer.then(() => false)]);
    } finally {
      answered.abort();
    }
  }

  /** Whether a failure may be waited out: it passes by itself, and nobody else has been given the place meanwhile. */
  outlasts(error: unknown): boolean {
    const { leaseMs } = this.#world.runtime;
    return mayPass(error) && leaseMs !== undefined && this.#watch.steady() - this.#heldAt < leaseMs;
  }

  /** Nobody could be asked for as long as a place is kept: somebody else may have it by now. */
  isLost(error: unknown): boolean {
    return mayPass(error) && this.#world.runtime.leaseMs !== undefined && !this.outlasts(error);
  }
}

const mayPass = (error: unknown): error is Failure => error instanceof Failure && error.retryable;

/** Another driver has taken over, as the record says; `hasClaimed`: this one stands there too. */
export function isReplaced({ driver, lifecycle }: State, own: string, hasClaimed: boolean): boolean {
  return driver?.id !== own && (hasClaimed || !isFinal(lifecycle));
}

/** Ends what runs here for a bubble whose driver nobody answers: who has it now cannot be asked. */
export const endUnheardWork = (world: World, bubble: string): Promise<void> =>
  world.processes.end(buildWorkMarker(world, bubble, "*"));

/**
 * Ends what runs here for a bubble that is driven elsewhere: nobody sees it any more, and its words do not count. A driver on
 * this machine adopts it instead.
 */
export async function endWorkHere(world: World, bubble: string, own: string): Promise<void> {
  const heir = await findHeir(world, bubble, own);
  if (heir === undefined || !isSameHost(heir, world.host))
    await world.processes.end(buildWorkMarker(world, bubble, "*"));
}

/** Ends what an earlier driver of this machine left, where another machine drives the bubble now or did so last; says whether it does. */
export async function endStrayWork(world: World, bubble: string): Promise<boolean> {
  const holder = await world.runtime.living(bubble);
  const host = holder?.host ?? (await load(world, bubble)).state?.driver?.host;
  if (host === undefined || isSameHost(host, world.host)) return false;
  await world.processes.end(buildWorkMarker(world, bubble, "*"));
  return true;
}

/** The host of the driver that came after this one, where anybody can be asked. */
async function findHeir(world: World, bubble: string, own: string): Promise<string | undefined> {
  try {
    const holder = await world.runtime.living(bubble);
    if (holder && holder.driver !== own) return holder.host;
    const { driver } = await loadKnown(world, bubble);
    return driver?.id === own ? undefined : driver?.host;
  } catch (error) {
    if (mayPass(error)) return undefined;
    throw error;
  }
}

export async function loadKnown(world: World, bubble: string): Promise<State> {
  const { state } = await load(world, bubble);
  if (!state)
    throw new Failure("bubble.unknown", `there is no bubble ${bubble}`, { hint: "pairflow bubble list" });
  return state;
}

/**
 * Makes the workspace before there is a driver, so that the person who starts the bubble sees what goes wrong. Two starts at once would
 * disturb each other in git: the one that does not get the driver's place is told who has it.
 */
export async function prepareFirst(
  world: World,
  bubble: string,
  signal: AbortSignal,
): Promise<{ readonly holder?: Beat }> {
  const driver = world.chance.id();
  const claim = await world.runtime.claim(bubble, buildFirstBeat(world, bubble, driver));
  if (!claim.ok) return { holder: claim.holder };
  try {
    const state = await loadKnown(world, bubble);
    const owed = [...listDueEffects(state), ...mayFinish(state)].find(({ kind }) => kind === "prepare");
    if (!owed) return {};
    // A start that was killed leaves its setup command running.
    await world.processes.end(buildWorkMarker(world, bubble, "setup*"));
    await performEffect({ world, state, driver: starter, signal }, owed);
    return {};
  } finally {
    await world.runtime.release(bubble, driver);
  }
}
