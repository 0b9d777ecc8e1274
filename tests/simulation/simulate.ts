// Many bubbles on many machines in one process: the real drive() over simulated hosts, with kills, pauses, partitions, slow
// disks, lost answers and an unreachable store from a seed. What must never happen is looked for at every line and every second.
import { createHash } from "node:crypto";
import { isFinal } from "../../src/core/bubble/lifecycle.ts";
import type { Program } from "../../src/core/model/program.ts";
import { drive } from "../../src/engine/drive/driver.ts";
import { handle } from "../../src/engine/handle/command.ts";
import type { World } from "../../src/engine/world/world.ts";
import { Failure } from "../../src/ports/failure.ts";
import { buildFirstWords, makeFolder } from "./bubble.ts";
import { type FaultKind, failSomewhere } from "./faults.ts";
import { type Disk, Host, makeDisk } from "./host.ts";
import { Invariants } from "./invariants.ts";
import { Store } from "./store.ts";
import { Dice, VirtualTime } from "./virtual-time.ts";
import { offerAgain, runWorker, type WorkerOptions } from "./worker.ts";
import { createSimulatedWorld } from "./world.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly bubbles: number;
  readonly hosts: number;
  /** For how long machines fail; afterwards everything must come to rest. */
  readonly faultMs?: number;
  /** Nothing but these goes wrong; left out, everything may. */
  readonly faults?: readonly FaultKind[];
  /** Takes a promise of a port away, to see that it is missed. */
  readonly planted?: "one-host-id" | "lagging-reads";
}

export interface SimulationResult {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly counts: Invariants["counts"] & {
    readonly faults: number;
    readonly failures: number;
    readonly virtualMs: number;
    readonly rested: number;
  };
}

const leaseMs = 3_000;
/** How long after it was lost a place may be free while somebody could take it. */
const pickUpMs = 2_000;
const operator = { kind: "operator", via: "cli" } as const;

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  return new Simulation(options).run();
}

class Simulation {
  private readonly time = new VirtualTime();
  private readonly invariants = new Invariants();
  private readonly outage = { until: 0 };
  private readonly store: Store;
  private readonly dice: Dice;
  private readonly hosts: Host[];
  private readonly workers = new Map<Host, WorkerOptions>();
  private readonly bubbles: string[];
  private readonly options: SimulationOptions;
  private readonly operatorWorld: World;
  private readonly freeSince = new Map<string, number>();
  private readonly reworks = new Map<string, number>();
  private readonly counts = { faults: 0, failures: 0 };
  private hostCount = 0;
  private isCalm = false;

  constructor(options: SimulationOptions) {
    this.options = options;
    const { invariants, time } = this;
    this.store = new Store({ time, leaseMs, invariants });
    this.dice = new Dice(options.seed);
    this.bubbles = Array.from({ length: options.bubbles }, (_, index) => `b${index}`);
    this.operatorWorld = createSimulatedWorld(this.makeHost("people~0", makeDisk()), this.store);
    this.hosts = Array.from({ length: options.hosts }, (_, index) => this.startHost(index, makeDisk()));
  }

  async run(): Promise<SimulationResult> {
    const { faultMs = 12_000, hosts } = this.options;
    await this.createBubbles();
    if (this.options.planted === "lagging-reads") this.store.lagMs = 400;
    const begin = this.time.now;
    this.every(250, () => this.tellExpired());
    this.every(1000, () => this.answer());
    this.every(1000, () => this.look());
    this.every(Math.max(10, Math.floor(2_000 / hosts)), () => this.fail());
    await this.time.runUntil(begin + faultMs);
    this.isCalm = true;
    const calmSince = this.time.now;
    while (!this.isAtRest() && this.time.now - calmSince < 90_000)
      await this.time.runUntil(this.time.now + 2000);
    for (const bubble of this.bubbles) this.checkEnd(bubble);
    const rested = this.bubbles.filter((bubble) => this.isResting(bubble)).length;
    return {
      digest: this.digest(),
      violations: this.invariants.violations,
      counts: { ...this.invariants.counts, ...this.counts, virtualMs: this.time.now - begin, rested },
    };
  }

  private every(ms: number, act: () => void): void {
    this.time.after(ms, () => {
      act();
      this.every(ms, act);
    });
  }

  private makeHost(id: string, disk: Disk): Host {
    const dice = new Dice(this.options.seed * 1000 + this.hostCount);
    this.hostCount += 1;
    const { time, outage, invariants } = this;
    const onSpin = () => invariants.note(`${id} works without end at one moment`);
    return new Host({ id, disk, time, dice, outage, onSpin });
  }

  private startHost(index: number, disk: Disk): Host {
    const { store, options } = this;
    const host = this.makeHost(options.planted === "one-host-id" ? "build" : `build~${index}`, disk);
    const worker: WorkerOptions = {
      ...{ host, store, drive, world: createSimulatedWorld(host, store) },
      concurrency: Math.ceil((3 * options.bubbles) / options.hosts),
      listOpen: () => this.bubbles.filter((bubble) => !this.isResting(bubble)),
      onFailure: () => (this.counts.failures += 1),
    };
    this.workers.set(host, worker);
    runWorker(worker);
    return host;
  }

  private async createBubbles(): Promise<void> {
    let program: Program | undefined;
    for (const [index, id] of this.bubbles.entries()) {
      // Not all of them at one moment: nobody types that fast, and it looks like a machine that spins.
      if (index % 100 === 99) await this.time.runUntil(this.time.now + 1);
      const { create, start } = buildFirstWords(id, program);
      program = create.program;
      await makeFolder(this.store, id);
      await this.say(id, create);
      await this.say(id, start);
    }
  }

  /** A person's word, and the offer that follows from it where nobody drives. */
  private async say(bubble: string, command: object): Promise<void> {
    const waited = this.invariants.findQuestion(bubble);
    const { refusal } = await handle(this.operatorWorld, bubble, { actor: operator, ...command } as never);
    if (refusal && waited && this.invariants.findQuestion(bubble) === waited)
      this.invariants.note(`${bubble}: a person is asked, and the answer is refused: ${refusal.code}`);
    if (!this.store.isHeld(bubble)) this.store.want(bubble);
  }

  /** Who does not reach the store says it again later. */
  private async trySay(bubble: string, command: object): Promise<void> {
    try {
      await this.say(bubble, command);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** Nothing happens with it without a human, or it has ended. */
  private isResting(bubble: string): boolean {
    const state = this.invariants.states.get(bubble);
    return (
      state !== undefined &&
      (isFinal(state.lifecycle) || !["RUNNING", "PREPARING_WORKSPACE"].includes(state.lifecycle))
    );
  }

  private tellExpired(): void {
    const reached = this.hosts.filter((host) => !host.isDead && !host.isCutOff());
    for (const bubble of this.store.findExpired().filter((one) => !this.isResting(one)))
      for (const host of reached) {
        const worker = this.workers.get(host);
        if (worker) void offerAgain(worker, bubble);
      }
  }

  /** A person answers what is asked, and sends work back a few times. */
  private answer(): void {
    for (const bubble of this.bubbles) {
      const state = this.invariants.states.get(bubble);
      if (state?.lifecycle === "WAITING_HUMAN") {
        const [question] = state.questions;
        const keys = question?.options?.map(({ key }) => key) ?? [];
        const choice = ["retry", "put-back", "keep"].find((key) => keys.includes(key));
        void this.trySay(bubble, { type: "reply", message: "the first", ...(choice ? { choice } : {}) });
      }
      const done = this.reworks.get(bubble) ?? 0;
      if (state?.lifecycle === "READY_FOR_APPROVAL" && done < 4 && !this.isCalm) {
        this.reworks.set(bubble, done + 1);
        void this.trySay(bubble, { type: "request-rework", message: "once more", reject: false });
      }
    }
  }

  private fail(): void {
    if (this.isCalm) return;
    const { hosts, outage, time, dice } = this;
    const kill = (index: number) => this.kill(index);
    const chosen = this.options.faults ? { kinds: this.options.faults } : {};
    if (failSomewhere({ hosts, outage, time, dice, leaseMs, kill, ...chosen })) this.counts.faults += 1;
  }

  /** Its processes are gone, its disk stays; it is started again after a while. */
  private kill(index: number): void {
    const host = this.hosts[index];
    if (!host) return;
    host.isDead = true;
    for (const one of [...host.processes.values()]) one.isAlive = false;
    host.processes.clear();
    this.workers.delete(host);
    this.time.after(this.dice.between(1000, 2 * leaseMs), () => {
      this.hosts[index] = this.startHost(index, host.disk);
    });
  }

  private look(): void {
    const { now } = this.time;
    for (const host of this.hosts) {
      if (!host.isHealthy()) host.healthySince = Number.POSITIVE_INFINITY;
      else if (host.healthySince === Number.POSITIVE_INFINITY) host.healthySince = now;
    }
    const healthy = this.hosts.filter((host) => now - host.healthySince > leaseMs + pickUpMs);
    for (const host of healthy) this.invariants.checkStrays(host, leaseMs + pickUpMs);
    for (const bubble of this.bubbles) {
      this.invariants.checkOwed(bubble);
      this.lookForFree(bubble, healthy.length > 0);
    }
  }

  /** Nothing is owed for longer than a lease and two seconds while a machine lives that could do it. */
  private lookForFree(bubble: string, isServed: boolean): void {
    const { now } = this.time;
    const isInHands = this.store.isInLostHands(bubble);
    if (this.isResting(bubble) || this.store.isHeld(bubble) || isInHands || !isServed)
      this.freeSince.delete(bubble);
    else if (!this.freeSince.has(bubble)) this.freeSince.set(bubble, now);
    else if (now - (this.freeSince.get(bubble) ?? now) > pickUpMs) {
      this.invariants.note(`${bubble} is owed something, and nobody has taken its place for ${pickUpMs} ms`);
      this.freeSince.delete(bubble);
    }
  }

  private isAtRest(): boolean {
    return this.bubbles.every(
      (bubble) => this.invariants.states.get(bubble)?.lifecycle === "READY_FOR_APPROVAL",
    );
  }

  private checkEnd(bubble: string): void {
    const state = this.invariants.states.get(bubble);
    if (state?.lifecycle === "READY_FOR_APPROVAL") return;
    this.invariants.note(`${bubble} never came to rest: ${state?.lifecycle} at ${state?.position.step}`);
  }

  private digest(): string {
    const hash = createHash("sha256");
    for (const bubble of this.bubbles)
      hash.update(`${bubble} ${JSON.stringify(this.invariants.states.get(bubble))}\n`);
    return hash.digest("hex");
  }
}
