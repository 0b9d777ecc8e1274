// A machine that can fail: every call of its ports passes its gate. Killed, a call never returns; paused, it returns late;
// cut off, the store cannot be reached; slow, its disk takes time.

import { Failure } from "../../src/ports/failure.ts";
import type { StateSnapshot } from "../../src/ports/record/records.ts";
import type { Dice, VirtualTime } from "./virtual-time.ts";

/** One for each call: whoever waits for one that all share is held for ever with all it knows. */
export const neverReturn = (): Promise<never> => new Promise<never>(() => {});

/** As many calls as a machine may make within one millisecond for each bubble it drives: whoever makes more will never end. */
const callsAtOnce = 2_000;

/** One process of an agent or a gate. */
export interface FakeProcess {
  readonly pid: number;
  readonly work: string;
  isAlive: boolean;
  readonly exited: (() => void)[];
}

/** What a machine keeps when it is started anew. */
export interface Disk {
  /** The tree that stands in each bubble's worktree. */
  readonly worktrees: Map<string, string>;
  /** The folds that it has kept. */
  readonly cache: Map<string, StateSnapshot>;
}

export const makeDisk = (): Disk => ({ worktrees: new Map(), cache: new Map() });

/** When the store cannot be reached by anybody. */
export interface Outage {
  until: number;
}

export interface HostOptions {
  /** How it calls itself on the record. */
  readonly id: string;
  readonly disk: Disk;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly outage: Outage;
  /** It works without end and gets nowhere. */
  readonly onSpin: (host: Host) => void;
}

/** A machine between two starts. */
export class Host {
  isDead = false;
  pausedUntil = 0;
  cutOffUntil = 0;
  slowUntil = 0;
  losesAnswersUntil = 0;
  drainsUntil = 0;
  /** How long a call to the store is tried before it is said that nobody answers. */
  patienceMs = 500;
  /** Since when nothing is wrong with it. */
  healthySince: number;
  readonly driving = new Set<string>();
  /** When the driver of a bubble here was told that its place is lost, until it is taken again. */
  readonly lost = new Map<string, number>();
  /** The driver here that took each bubble's place last. */
  readonly claimed = new Map<string, string>();
  readonly processes = new Map<string, FakeProcess>();
  readonly notes = new Map<string, string>();
  readonly id: string;
  readonly disk: Disk;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly outage: Outage;
  private readonly onSpin: (host: Host) => void;
  private calls = { at: 0, count: 0 };

  constructor({ id, disk, time, dice, outage, onSpin }: HostOptions) {
    this.id = id;
    this.disk = disk;
    this.time = time;
    this.dice = dice;
    this.outage = outage;
    this.onSpin = onSpin;
    this.healthySince = time.now;
  }

  isHealthy(): boolean {
    const own = Math.max(this.pausedUntil, this.cutOffUntil, this.slowUntil, this.losesAnswersUntil);
    return !this.isDead && Math.max(own, this.drainsUntil, this.outage.until) <= this.time.now;
  }

  /** Anything on this machine. */
  async passGate(): Promise<void> {
    if (this.isDead) await neverReturn();
    if (this.spins()) await neverReturn();
    while (this.pausedUntil > this.time.now) {
      await this.time.sleep(this.pausedUntil - this.time.now);
      if (this.isDead) await neverReturn();
    }
  }

  private spins(): boolean {
    if (this.calls.at !== this.time.now) this.calls = { at: this.time.now, count: 0 };
    this.calls.count += 1;
    const most = callsAtOnce * (10 + this.driving.size);
    if (this.calls.count === most) this.onSpin(this);
    return this.calls.count >= most;
  }

  /** A call to the store. */
  async reachStore<T>(call: () => Promise<T> | T): Promise<T> {
    await this.passGate();
    if (this.slowUntil > this.time.now) await this.time.sleep(this.dice.between(20, 400));
    await this.passGate();
    if (this.isCutOff()) return this.failToReach();
    const result = await call();
    if (this.losesAnswersUntil > this.time.now && this.dice.roll() < 0.3) return this.failToReach();
    await this.passGate();
    return result;
  }

  isCutOff(): boolean {
    return Math.max(this.cutOffUntil, this.outage.until) > this.time.now;
  }

  private async failToReach(): Promise<never> {
    await this.time.sleep(this.patienceMs);
    await this.passGate();
    throw new Failure("store.unreachable", "the store does not answer", { retryable: true });
  }

  /** Every method of a port of this machine; `store`: it is shared. */
  wrap<T extends object>(port: T, kind: "store" | "own", plain: readonly (keyof T)[] = []): T {
    const wrapped = Object.entries(port).map(([key, value]) => {
      if (typeof value !== "function" || plain.includes(key as keyof T)) return [key, value];
      const call = (...args: unknown[]) => value.apply(port, args);
      if (kind === "store") return [key, (...args: unknown[]) => this.reachStore(() => call(...args))];
      const own = async (...args: unknown[]) => {
        await this.passGate();
        const result = await call(...args);
        await this.passGate();
        return result;
      };
      return [key, own];
    });
    return Object.fromEntries(wrapped) as T;
  }

  endProcess(process: FakeProcess): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    this.processes.delete(process.work);
    for (const told of process.exited) told();
  }

  matching(work: string): FakeProcess[] {
    if (!work.endsWith("*")) return [...[this.processes.get(work)].filter((one) => one !== undefined)];
    const begin = work.slice(0, -1);
    return [...this.processes.values()].filter((one) => one.work.startsWith(begin));
  }
}
