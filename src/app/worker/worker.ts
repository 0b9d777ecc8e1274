// A machine that takes work which several machines share: it is handed offers, drives each bubble until it waits for a person,
// has ended or belongs elsewhere, and tells the others that it is there. It decides nothing: the place and the record do.
import { listDueEffects } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { listNeededLabels } from "../../core/bubble/needed-labels.ts";
import type { State } from "../../core/model/state.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { load } from "../../engine/front/command.ts";
import { drive, endStrayWork } from "../../engine/front/drive.ts";
import { collectPrograms } from "../../engine/front/trust.ts";
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { Offer, Offers } from "../../ports/record/offers.ts";
import { canHavePanes, listAgentsNotReady } from "../agents/ready.ts";
import { ensureDriver } from "../operate/driver.ts";
import { hasEnded, type ListedBubble, listBubbles } from "../record/listing.ts";
import { findMissingBase } from "./base.ts";
import { describeTrouble } from "./trouble.ts";
import { waitForAny } from "./wait.ts";

export interface WorkerOptions {
  /** A world for one bubble: each is driven in one of its own. `seat`: where its agents sit. */
  readonly openWorld: (seat: "tmux" | "process") => World;
  /** Agents sit in panes, where they can. */
  readonly hasPanes: boolean;
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly version: string;
  /** Take nothing more, and give back between turns what is being driven. */
  readonly drain: AbortSignal;
  /** Leave everything now. */
  readonly stop: AbortSignal;
  /** Asks about programs that nobody has confirmed on this machine. */
  readonly confirm: (programs: readonly TrustedProgram[]) => Promise<boolean>;
  readonly say: (line: string) => void;
}

/** How long one question for work may wait. */
const takeMs = 2000;
/** A bubble that this machine cannot drive now is handed out again after this. */
const laterMs = 10_000;

export async function runWorker(options: WorkerOptions): Promise<void> {
  const world = options.openWorld(options.hasPanes ? "tmux" : "process");
  const offers = requireOffers(world.offers);
  const worker = new Worker(world, offers, options);
  await worker.begin();
  const ears = new AbortController();
  const listening = offers.listen((bubble) => void worker.offerAgain(bubble), ears.signal);
  listening.catch((error: unknown) => options.say(describeTrouble(error)));
  try {
    while (!options.drain.aborted) await worker.takeOne();
    await worker.finish();
  } finally {
    ears.abort();
    await worker.end();
  }
}

/** Only a store that several machines share has work to hand out. */
export function requireOffers(offers: Offers | undefined): Offers {
  if (offers) return offers;
  throw new Failure(
    "worker.no-store",
    "The records of this repository are files of this machine: there are no other hosts to share work with.",
    {
      hint: "name the server that several machines share: store: nats://127.0.0.1:4222/shop in .pairflow/config.yaml",
    },
  );
}

class Worker {
  readonly #world: World;
  readonly #offers: Offers;
  readonly #options: WorkerOptions;
  readonly #driving = new Map<string, Promise<void>>();
  /** Those that were offered while they were still driven here: whoever leaves one looks again. */
  readonly #offeredMeanwhile = new Set<string>();
  /** Those that only wait for others: what they wait for may need the room that they would take. */
  readonly #waiting = new Set<string>();
  /** Those whose panes stand here; a person may look into them while a bubble waits for a decision. */
  readonly #rooms = new Set<string>();
  readonly #startedAt: string;
  #timers: NodeJS.Timeout[] = [];
  #tellRoom = () => {};

  constructor(world: World, offers: Offers, options: WorkerOptions) {
    this.#world = world;
    this.#offers = offers;
    this.#options = options;
    this.#startedAt = world.clock.now();
  }

  /** Ends what an earlier worker left running for bubbles that are driven elsewhere by now, and offers what nobody drives. */
  async begin(): Promise<void> {
    await this.announce();
    if (this.#options.hasPanes) await this.#findRooms();
    await this.reconcile();
    const { leaseMs = 30_000 } = this.#world.runtime;
    const beatMs = Math.max(500, leaseMs / 3);
    const every = (ms: number, work: () => Promise<void>) =>
      setInterval(() => void work().catch((error) => this.#options.say(describeTrouble(error))), ms);
    this.#timers = [
      every(beatMs, () => this.announce()),
      every(Math.max(3000, leaseMs), () => this.reconcile()),
    ];
  }

  /** Rooms of an earlier worker. */
  async #findRooms(): Promise<void> {
    for (const row of await listBubbles(this.#world))
      if (!hasEnded(row) && (await this.#world.seats.isOpen(row.id))) this.#rooms.add(row.id);
  }

  async announce(): Promise<void> {
    const { labels, concurrency, version, drain } = this.#options;
    await this.#offers.announce({
      ...{ host: this.#world.host, labels, concurrency, version, driving: [...this.#driving.keys()] },
      ...{ pid: this.#world.pid, startedAt: this.#startedAt },
      ...(drain.aborted ? { isDraining: true } : {}),
    });
  }

  /** Once a lease everything is looked at from the beginning: a word about a lost place may have been missed. */
  async reconcile(): Promise<void> {
    for (const row of await listBubbles(this.#world)) {
      if (this.#driving.has(row.id)) continue;
      try {
        await this.#lookAfter(row);
      } catch (error) {
        // A record that this version cannot build on keeps nobody from the others.
        if (!(error instanceof Failure) || error.retryable) throw error;
        this.#options.say(`${row.id}: ${describeTrouble(error)}`);
      }
    }
  }

  async #lookAfter(row: ListedBubble): Promise<void> {
    const isElsewhere = await endStrayWork(this.#world, row.id);
    if (isElsewhere || hasEnded(row)) await this.#closeRoom(row.id);
    if (row.driven === false) await this.offerAgain(row.id);
  }

  /** The first host that sees that a driver is gone offers its bubble; others do the same, and it stays one offer. */
  async offerAgain(bubble: string): Promise<void> {
    try {
      await ensureDriver({ world: this.#world, bubble, via: "cli" });
    } catch (error) {
      this.#options.say(`${bubble}: ${describeTrouble(error)}`);
    }
  }

  async takeOne(): Promise<void> {
    const { labels, concurrency, say } = this.#options;
    if (this.#driving.size - this.#waiting.size >= concurrency) return this.#waitForRoom();
    try {
      const offer = await this.#offers.take(labels, takeMs);
      if (offer) this.#begin(offer);
    } catch (error) {
      if (!(error instanceof Failure && error.retryable)) throw error;
      say(describeTrouble(error));
    }
  }

  /** Until something that is driven has ended, or only waits. */
  async #waitForRoom(): Promise<void> {
    const hasRoom = new Promise<void>((resolve) => (this.#tellRoom = resolve));
    await waitForAny([...this.#driving.values(), hasRoom], this.#options.drain);
  }

  /** A parent whose children work needs no room of its own while they do. */
  #keepCount(bubble: string, state: State): void {
    const onlyWaits = listDueEffects(state).every(({ kind }) => ["child", "clock", "notify"].includes(kind));
    if (!onlyWaits) this.#waiting.delete(bubble);
    else if (!this.#waiting.has(bubble)) {
      this.#waiting.add(bubble);
      this.#tellRoom();
    }
  }

  #begin(offer: Offer): void {
    const { bubble } = offer;
    if (this.#driving.has(bubble)) {
      this.#offeredMeanwhile.add(bubble);
      return void offer.done();
    }
    if (this.#options.drain.aborted) return void offer.giveBack(0);
    const done = this.#drive(offer).finally(() => {
      this.#driving.delete(bubble);
      this.#waiting.delete(bubble);
      if (this.#offeredMeanwhile.delete(bubble)) void this.offerAgain(bubble);
      void this.announce().catch(() => {});
    });
    this.#driving.set(bubble, done);
    void this.announce().catch(() => {});
  }

  async #drive(offer: Offer): Promise<void> {
    const { bubble } = offer;
    const { say, openWorld, hasPanes } = this.#options;
    try {
      const { state } = await load(this.#world, bubble);
      const config = state && { ...state.config, repo_path: this.#world.repo };
      const world = openWorld(hasPanes && config && canHavePanes(config) ? "tmux" : "process");
      const problem = state && (await this.#findProblem(world, state));
      if (problem) {
        say(`${bubble}: not taken: ${problem}`);
        return await offer.giveBack(laterMs);
      }
      if (state) await this.#driveUntilLeft(world, bubble, offer);
      else await offer.done();
    } catch (error) {
      await this.#tellFailure(offer, error);
    }
  }

  /** Why this machine does not take a bubble now. */
  async #findProblem(world: World, state: State): Promise<string | undefined> {
    const [lacking] = state.turn ? listAgentsNotReady({ ...state.config, repo_path: world.repo }) : [];
    if (lacking && !this.#fits(state)) return lacking;
    const missing = await findMissingBase(world, state);
    if (missing) return missing;
    const programs = await collectPrograms(world, { config: state.config, gates: state.profile.gates });
    const open = await world.trust.unconfirmed(programs);
    if (open.length === 0) return undefined;
    if (!(await this.#options.confirm(open))) return "nobody has confirmed on this machine what it runs";
    await world.trust.remember(open, world.clock.now());
    return undefined;
  }

  async #driveUntilLeft(world: World, bubble: string, offer: Offer): Promise<void> {
    const taking = { isTaken: false };
    try {
      await this.#driveTaken(world, offer, taking);
    } catch (error) {
      // An offer that was taken is gone: only a new one brings the bubble to a machine that can continue it.
      if (!taking.isTaken || !(error instanceof Failure)) throw error;
      this.#options.say(`${bubble}: ${describeTrouble(error)}`);
      await this.#world.clock.sleep(laterMs, this.#options.drain);
      await this.offerAgain(bubble);
    }
  }

  async #driveTaken(world: World, offer: Offer, taking: { isTaken: boolean }): Promise<void> {
    const { bubble } = offer;
    const { say, stop, drain } = this.#options;
    let leaves = false;
    const left = await drive(world, bubble, {
      signal: stop,
      leaveWhenWaiting: true,
      leaves: (state) => (leaves = drain.aborted || !this.#fits(state)),
      onState: (state) => {
        this.#keepCount(bubble, state);
        if (taking.isTaken) return;
        taking.isTaken = true;
        if (world.seats.kind === "tmux") this.#rooms.add(bubble);
        say(`${bubble}: taken`);
        void offer.done();
      },
      onFailure: (failure) => say(`${bubble}: ${failure.message} (${failure.code})`),
    });
    say(`${bubble}: left (${left.lifecycle})`);
    if (leaves || isFinal(left.lifecycle)) await this.#closeRoom(bubble);
    if (leaves || stop.aborted) await this.offerAgain(bubble);
  }

  async #closeRoom(bubble: string): Promise<void> {
    if (!this.#rooms.delete(bubble)) return;
    await this.#world.seats.close(bubble);
  }

  #fits(state: State): boolean {
    return listNeededLabels(state).every((label) => this.#options.labels.includes(label));
  }

  async #tellFailure(offer: Offer, error: unknown): Promise<void> {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "driver.running") return offer.done();
    this.#options.say(`${offer.bubble}: ${describeTrouble(error)}`);
    await offer.giveBack(laterMs);
  }

  async finish(): Promise<void> {
    if (this.#driving.size > 0)
      this.#options.say(
        `Draining: ${[...this.#driving.keys()].join(", ")} (a second signal ends them at once)`,
      );
    await Promise.allSettled(this.#driving.values());
  }

  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#offers.withdraw(this.#world.host).catch(() => {});
  }
}
