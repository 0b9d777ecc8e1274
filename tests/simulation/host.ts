// A machine that can fail: every call of its ports passes its gate. Killed, a call never returns; paused, it returns late;
// cut off, the store cannot be reached; slow, its disk takes time.
import { Failure } from "../../src/ports/failure.ts";
import type { Dice, VirtualTime } from "./virtual-time.ts";

export const never = new Promise<never>(() => {});

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
}

/** A machine between two starts. */
export class Host {
  isDead = false;
  pausedUntil = 0;
  cutOffUntil = 0;
  slowUntil = 0;
  losesAnswersUntil = 0;
  /** Since when nothing is wrong with it. */
  healthySince: number;
  readonly driving = new Set<string>();
  readonly processes = new Map<string, FakeProcess>();
  readonly notes = new Map<string, string>();
  readonly name: string;
  readonly disk: Disk;
  readonly time: VirtualTime;
  readonly dice: Dice;

  constructor(name: string, disk: Disk, time: VirtualTime, dice: Dice) {
    this.name = name;
    this.disk = disk;
    this.time = time;
    this.dice = dice;
    this.healthySince = time.now;
  }

  isHealthy(): boolean {
    const until = Math.max(this.pausedUntil, this.cutOffUntil, this.slowUntil, this.losesAnswersUntil);
    return !this.isDead && until <= this.time.now;
  }

  /** Anything on this machine. */
  async passGate(): Promise<void> {
    if (this.isDead) await never;
    while (this.pausedUntil > this.time.now) {
      await this.time.sleep(this.pausedUntil - this.time.now);
      if (this.isDead) await never;
    }
  }

  /** A call to the store. */
  async reachStore<T>(call: () => Promise<T> | T): Promise<T> {
    await this.passGate();
    if (this.slowUntil > this.time.now) await this.time.sleep(this.dice.between(20, 400));
    await this.passGate();
    if (this.cutOffUntil > this.time.now) return this.failToReach();
    const result = await call();
    if (this.losesAnswersUntil > this.time.now && this.dice.roll() < 0.3) return this.failToReach();
    await this.passGate();
    return result;
  }

  private async failToReach(): Promise<never> {
    await this.time.sleep(500);
    await this.passGate();
    throw new Failure("store.unreachable", "the store does not answer", { retryable: true });
  }

  /** Every method of a port of this machine; `store`: it is shared. */
  wrap<T extends object>(port: T, kind: "store" | "own", plain: readonly (keyof T)[] = []): T {
    return new Proxy(port, {
      get: (target, key) => {
        const value = Reflect.get(target, key);
        if (typeof value !== "function" || plain.includes(key as keyof T)) return value;
        const call = (...args: unknown[]) => value.apply(target, args);
        if (kind === "store") return (...args: unknown[]) => this.reachStore(() => call(...args));
        return async (...args: unknown[]) => {
          await this.passGate();
          const result = await call(...args);
          await this.passGate();
          return result;
        };
      },
    });
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
