// Many bubbles on many machines in one process: the real drive() over simulated hosts, with kills, pauses, partitions, slow
// disks and lost answers from a seed. What must never happen is looked for at every line and every second.
import { createHash } from "node:crypto";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { isFinal } from "../../src/core/bubble/lifecycle.ts";
import type { Program } from "../../src/core/model/program.ts";
import type { State } from "../../src/core/model/state.ts";
import type { DriveOptions } from "../../src/engine/drive/driver.ts";
import { handle } from "../../src/engine/handle/command.ts";
import type { World } from "../../src/engine/world/world.ts";
import { configOf, pairProgram, testGate } from "../core/pair.ts";
import { type Disk, Host } from "./host.ts";
import { Store } from "./store.ts";
import { Dice, VirtualTime } from "./virtual-time.ts";
import { createSimulatedWorld } from "./world.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly bubbles: number;
  readonly hosts: number;
  /** For how long machines fail; afterwards everything must come to rest. */
  readonly faultMs?: number;
  readonly drive: (world: World, bubble: string, options: DriveOptions) => Promise<State>;
  /** Switches a rule off, to see that it is missed. */
  readonly planted?: "one-host-id";
}

export interface SimulationResult {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly counts: Store["counts"] & { faults: number; failures: number; virtualMs: number; rested: number };
}

const leaseMs = 6_000;
const perHost = 50;
const tickMs = 500;
const operator = { kind: "operator", via: "cli" } as const;

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const simulation = new Simulation(options);
  return simulation.run();
}

class Simulation {
  private readonly time = new VirtualTime();
  private readonly store: Store;
  private readonly dice: Dice;
  private readonly hosts: Host[];
  private readonly worlds = new Map<Host, World>();
  private readonly bubbles: string[];
  private readonly options: SimulationOptions;
  private readonly operatorWorld: World;
  private readonly undriven = new Map<string, number>();
  private readonly reworks = new Map<string, number>();
  private readonly counts = { faults: 0, failures: 0 };
  private hostCount = 0;
  private isCalm = false;

  constructor(options: SimulationOptions) {
    this.options = options;
    this.store = new Store(this.time, leaseMs);
    this.dice = new Dice(options.seed);
    this.hosts = Array.from({ length: options.hosts }, (_, index) =>
      this.startHost(index, { worktrees: new Map() }),
    );
    this.bubbles = Array.from({ length: options.bubbles }, (_, index) => `b${index}`);
    const people = new Host("people", { worktrees: new Map() }, this.time, new Dice(options.seed + 1));
    this.operatorWorld = createSimulatedWorld(people, this.store, { hostId: "people~0" });
  }

  async run(): Promise<SimulationResult> {
    const { faultMs = 20_000 } = this.options;
    await this.createBubbles();
    const begin = this.time.now;
    this.every(tickMs, () => this.employ());
    this.every(1000, () => this.answer());
    this.every(1000, () => this.look());
    this.every(Math.max(20, Math.floor(1_500 / this.options.hosts)), () => this.fail());
    await this.time.runUntil(begin + faultMs);
    this.isCalm = true;
    const calmSince = this.time.now;
    while (!this.isAtRest() && this.time.now - calmSince < 90_000)
      await this.time.runUntil(this.time.now + 2000);
    for (const bubble of this.bubbles) this.checkEnd(bubble);
    const rested = this.bubbles.filter((bubble) => this.isResting(bubble)).length;
    return {
      digest: this.digest(),
      violations: this.store.violations,
      counts: { ...this.store.counts, ...this.counts, virtualMs: this.time.now - begin, rested },
    };
  }

  private every(ms: number, act: () => void): void {
    this.time.after(ms, () => {
      act();
      this.every(ms, act);
    });
  }

  private startHost(index: number, disk: Disk): Host {
    const host = new Host(
      `h${index}`,
      disk,
      this.time,
      new Dice(this.options.seed * 1000 + ++this.hostCount),
    );
    const { planted } = this.options;
    const hostId = planted === "one-host-id" ? "build" : `build~${index}`;
    this.worlds.set(host, createSimulatedWorld(host, this.store, { hostId }));
    return host;
  }

  private async createBubbles(): Promise<void> {
    let program: Program | undefined;
    for (const id of this.bubbles) {
      const config = configOf({
        ...{ id, bubble_branch: `bubble/${id}`, max_rounds: 30 },
        agent: { alice: { adapter: "fake" }, bob: { adapter: "fake" } } as never,
      });
      program ??= pairProgram(config);
      await this.store.records.create(id);
      for (const name of ["task.md", "workflow.json"]) await this.store.records.put(id, name, "{}");
      await this.say(id, {
        ...{ type: "create", config, program, base_commit: "base", workflow_artifact: "workflow.json" },
        profile: { gates: [testGate], source: "given by flag", confirmed: true },
        task: { title: "Fix cart totals", criteria: [], artifact: "task.md", excerpt: "Totals are wrong." },
      });
      await this.say(id, { type: "start", seat: "tmux" });
    }
  }

  private async say(bubble: string, command: object): Promise<void> {
    await handle(this.operatorWorld, bubble, { actor: operator, ...command } as never);
  }

  /** Nothing happens with it without a human, or it has ended. */
  private isResting(bubble: string): boolean {
    const state = this.store.states.get(bubble);
    return (
      state !== undefined &&
      (isFinal(state.lifecycle) || !["RUNNING", "PREPARING_WORKSPACE"].includes(state.lifecycle))
    );
  }

  /** Workers take what nobody drives. */
  private employ(): void {
    const wanted = this.bubbles.filter((bubble) => !this.store.isHeld(bubble) && !this.isResting(bubble));
    for (const bubble of wanted) {
      const free = this.hosts.filter(
        (host) => !host.isDead && host.pausedUntil <= this.time.now && host.driving.size < perHost,
      );
      if (free.length === 0) return;
      void this.driveOn(this.dice.pick(free), bubble);
    }
  }

  private async driveOn(host: Host, bubble: string): Promise<void> {
    const world = this.worlds.get(host);
    if (!world || host.driving.has(bubble)) return;
    host.driving.add(bubble);
    try {
      await this.options.drive(world, bubble, {
        signal: new AbortController().signal,
        leaveWhenWaiting: true,
      });
    } catch (error) {
      this.counts.failures += 1;
      const code = (error as { code?: string }).code;
      if (code === undefined) this.store.violations.push(`${bubble}: ${(error as Error).stack ?? error}`);
    } finally {
      host.driving.delete(bubble);
    }
  }

  /** A person answers what is asked, and sends work back a few times. */
  private answer(): void {
    for (const bubble of this.bubbles) {
      const state = this.store.states.get(bubble);
      if (state?.lifecycle === "WAITING_HUMAN") {
        const [question] = state.questions;
        const keys = question?.options?.map(({ key }) => key) ?? [];
        const choice = ["retry", "put-back", "keep"].find((key) => keys.includes(key));
        void this.say(bubble, { type: "reply", message: "the first", ...(choice ? { choice } : {}) });
      }
      const done = this.reworks.get(bubble) ?? 0;
      if (state?.lifecycle === "READY_FOR_APPROVAL" && done < 4 && !this.isCalm) {
        this.reworks.set(bubble, done + 1);
        void this.say(bubble, { type: "request-rework", message: "once more", reject: false });
      }
    }
  }

  private fail(): void {
    if (this.isCalm) return;
    const index = this.dice.between(0, this.hosts.length - 1);
    const host = this.hosts[index];
    if (!host?.isHealthy()) return;
    this.counts.faults += 1;
    const { now } = this.time;
    const long = now + this.dice.between(500, 3 * leaseMs);
    const kind = this.dice.between(0, 4);
    if (kind === 0) this.kill(index, host);
    else if (kind === 1) host.pausedUntil = long;
    else if (kind === 2) host.cutOffUntil = long;
    else if (kind === 3) host.slowUntil = long;
    else host.losesAnswersUntil = now + this.dice.between(500, leaseMs);
    host.healthySince = Number.POSITIVE_INFINITY;
  }

  /** Its processes are gone, its disk stays; it is started again after a while. */
  private kill(index: number, host: Host): void {
    host.isDead = true;
    for (const one of [...host.processes.values()]) one.isAlive = false;
    host.processes.clear();
    this.time.after(this.dice.between(1000, 2 * leaseMs), () => {
      this.hosts[index] = this.startHost(index, host.disk);
    });
  }

  private look(): void {
    const { now } = this.time;
    for (const host of this.hosts)
      if (!host.isHealthy()) host.healthySince = Number.POSITIVE_INFINITY;
      else if (host.healthySince === Number.POSITIVE_INFINITY) host.healthySince = now;
    this.lookForUndriven(now);
  }

  private lookForUndriven(now: number): void {
    const limit = leaseMs + 2000;
    const isServed = this.hosts.some((host) => now - host.healthySince > limit);
    for (const bubble of this.bubbles) {
      const state = this.store.states.get(bubble);
      if (state) this.lookAt(bubble, state);
      if (this.isResting(bubble) || this.store.isHeld(bubble) || !isServed) this.undriven.delete(bubble);
      else if (!this.undriven.has(bubble)) this.undriven.set(bubble, now);
      else if (now - (this.undriven.get(bubble) ?? now) > limit) {
        this.store.violations.push(`${bubble} was owed something for longer than lease + 2 s`);
        this.undriven.delete(bubble);
      }
    }
  }

  /** Something is owed, or somebody is asked. */
  private lookAt(bubble: string, state: State): void {
    const isAsked = state.questions.length > 0 || state.lifecycle === "READY_FOR_APPROVAL";
    if (!isFinal(state.lifecycle) && !isAsked && listDueEffects(state).length === 0)
      this.store.violations.push(`${bubble}: nothing is owed and nobody is asked (${state.lifecycle})`);
  }

  private isAtRest(): boolean {
    return this.bubbles.every((bubble) => this.store.states.get(bubble)?.lifecycle === "READY_FOR_APPROVAL");
  }

  private checkEnd(bubble: string): void {
    const state = this.store.states.get(bubble);
    if (state?.lifecycle !== "READY_FOR_APPROVAL")
      this.store.violations.push(
        `${bubble} never came to rest: ${state?.lifecycle} at ${state?.position.step}`,
      );
  }

  private digest(): string {
    const hash = createHash("sha256");
    for (const bubble of this.bubbles)
      hash.update(`${bubble} ${JSON.stringify(this.store.states.get(bubble))}\n`);
    return hash.digest("hex");
  }
}
