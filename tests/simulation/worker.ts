// What `pairflow worker` does on a machine: it takes offers, drives each bubble until it waits for a person or belongs elsewhere,
// offers again what nobody drives, and tells nobody anything else.
import type { State } from "../../src/core/model/state.ts";
import { endStrayWork } from "../../src/engine/drive/place.ts";
import type { DriveOptions } from "../../src/engine/drive/round.ts";
import type { World } from "../../src/engine/world/world.ts";
import { Failure } from "../../src/ports/failure.ts";
import type { Host } from "./host.ts";
import type { OpenOffer, Store } from "./store.ts";

export type Drive = (world: World, bubble: string, options: DriveOptions) => Promise<State>;

export interface WorkerOptions {
  readonly host: Host;
  readonly world: World;
  readonly store: Store;
  readonly drive: Drive;
  /** How many bubbles it drives at once. */
  readonly concurrency: number;
  /** Bubbles with which something can happen without a person. */
  readonly listOpen: () => readonly string[];
  readonly onFailure: () => void;
}

const lookMs = 500;

export function runWorker(options: WorkerOptions): void {
  void takeOffers(options);
  void reconcile(options);
}

async function takeOffers(options: WorkerOptions): Promise<void> {
  const { host, store } = options;
  for (;;) {
    const isFree = host.drainsUntil <= host.time.now && host.driving.size < options.concurrency;
    const offer = isFree ? await attempt(() => host.reachStore(() => store.take(host))) : undefined;
    if (offer) void driveOffer(options, offer);
    else await host.time.sleep(host.dice.between(lookMs / 2, lookMs));
  }
}

async function driveOffer(options: WorkerOptions, offer: OpenOffer): Promise<void> {
  const { host, world, store, drive } = options;
  const { bubble } = offer;
  const isDone = () => void attempt(() => host.reachStore(() => store.done(offer)));
  if (host.driving.has(bubble)) return isDone();
  host.driving.add(bubble);
  let isTaken = false;
  let leaves = false;
  try {
    await drive(world, bubble, {
      signal: new AbortController().signal,
      leaveWhenWaiting: true,
      leaves: () => (leaves = host.drainsUntil > host.time.now),
      onState: () => {
        if (!isTaken) isDone();
        isTaken = true;
      },
    });
    if (leaves) await offerAgain(options, bubble);
  } catch (error) {
    options.onFailure();
    if (!(error instanceof Failure)) store.invariants.note(`${bubble}: ${(error as Error).stack}`);
    else if (error.code === "driver.running") isDone();
    else await offerAgain(options, bubble);
  } finally {
    host.driving.delete(bubble);
  }
}

/** Whoever hears that a driver is gone offers its bubble. */
export async function offerAgain({ host, store }: WorkerOptions, bubble: string): Promise<void> {
  await attempt(() => host.reachStore(() => (store.isHeld(bubble) ? undefined : store.want(bubble))));
}

/** Once a lease everything is looked at from the beginning: a word about a lost place may have been missed. */
async function reconcile(options: WorkerOptions): Promise<void> {
  const { host, world, store, listOpen } = options;
  for (;;) {
    const atWork = new Set([...host.processes.keys()].map((work) => work.split("/")[1] ?? ""));
    for (const bubble of atWork)
      if (!host.driving.has(bubble)) await attempt(() => endStrayWork(world, bubble));
    const open = await attempt(() => host.reachStore(() => listOpen()));
    for (const bubble of open ?? []) if (!store.isHeld(bubble)) store.want(bubble);
    await host.time.sleep(store.leaseMs);
  }
}

async function attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
