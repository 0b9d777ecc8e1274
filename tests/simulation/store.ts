// What all machines share: the log, the records, the offers and the drivers' places, kept by a lease on the store's own clock.

import type { AppendResult, EventLog, Head, LogBatch } from "../../src/ports/record/log.ts";
import type { Beat, Records, Runtime } from "../../src/ports/record/records.ts";
import { createMemoryLog } from "../memory/log.ts";
import { createMemoryRecords } from "../memory/records.ts";
import type { Host } from "./host.ts";
import type { Invariants } from "./invariants.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** One bubble that somebody should drive; nobody else is handed it before `handedUntil`. */
export interface OpenOffer {
  readonly bubble: string;
  handedUntil: number;
  to?: Host;
  /** Something was wrong with that machine: it may never have heard of it. */
  isInDoubt?: boolean;
}

interface Place {
  readonly beat: Beat;
  readonly until: number;
  isTold?: boolean;
}

export interface StoreOptions {
  readonly time: VirtualTime;
  readonly leaseMs: number;
  readonly invariants: Invariants;
}

export class Store {
  readonly leaseMs: number;
  /** The newest pinned tree of each bubble: pins travel with the record. */
  readonly pins = new Map<string, string>();
  readonly records: Records = createMemoryRecords();
  readonly invariants: Invariants;
  private readonly log: EventLog = createMemoryLog();
  private readonly places = new Map<string, Place>();
  private readonly offers = new Map<string, OpenOffer>();
  private readonly lengths = new Map<string, { readonly at: number; readonly seq: number }[]>();
  /** Reads come from a replica that is so far behind, instead of from the leader. */
  lagMs = 0;
  private readonly time: VirtualTime;
  private pids = 0;

  constructor({ time, leaseMs, invariants }: StoreOptions) {
    this.time = time;
    this.leaseMs = leaseMs;
    this.invariants = invariants;
  }

  async append(
    host: Host,
    ...[bubble, expected, envelopes]: Parameters<EventLog["append"]>
  ): Promise<AppendResult> {
    const done = await this.log.append(bubble, expected, envelopes);
    if (!done.ok) return done;
    this.invariants.takeLines(bubble, done.envelopes, host);
    const length = { at: this.time.now, seq: done.head.seq };
    this.lengths.set(bubble, [...(this.lengths.get(bubble) ?? []).slice(-10), length]);
    return done;
  }

  async *read(...[bubble, from, until]: Parameters<EventLog["read"]>): AsyncGenerator<LogBatch> {
    const end = this.lagMs > 0 && !until ? { before: this.findLagging(bubble) + 1 } : until;
    if (from && end && from.seq >= end.before) return;
    yield* this.log.read(bubble, from, end);
  }

  private findLagging(bubble: string): number {
    const known = this.lengths.get(bubble) ?? [];
    return known.findLast(({ at }) => at <= this.time.now - this.lagMs)?.seq ?? 0;
  }

  subscribe(bubble: string, from: Head, signal: AbortSignal): AsyncIterable<LogBatch> {
    return this.log.subscribe(bubble, from, signal);
  }

  hashOf(head: Head): string {
    return this.log.hashOf(head);
  }

  runtime(): Omit<Runtime, "sign" | "lastSign" | "note" | "noted"> {
    const holder = (bubble: string) => (this.isHeld(bubble) ? this.places.get(bubble)?.beat : undefined);
    const hold = (bubble: string, beat: Beat) =>
      void this.places.set(bubble, { beat, until: this.time.now + this.leaseMs });
    return {
      leaseMs: this.leaseMs,
      claim: async (bubble, beat) => {
        const held = holder(bubble);
        if (held && held.driver !== beat.driver) return { ok: false, holder: held };
        hold(bubble, beat);
        return { ok: true };
      },
      // Who ran out may take its own place back, as long as nobody else came.
      beat: async (bubble, beat) => {
        if (this.places.get(bubble)?.beat.driver !== beat.driver) return false;
        hold(bubble, beat);
        return true;
      },
      living: async (bubble) => holder(bubble),
      listLiving: async (bubbles) => {
        const held = bubbles.map((bubble) => [bubble, holder(bubble)] as const);
        return new Map(held.flatMap(([bubble, beat]) => (beat ? [[bubble, beat]] : [])));
      },
      release: async (bubble, driver) => {
        if (this.places.get(bubble)?.beat.driver === driver) this.places.delete(bubble);
      },
      forget: async () => {},
    };
  }

  isHeld(bubble: string): boolean {
    return (this.places.get(bubble)?.until ?? 0) > this.time.now;
  }

  /** The bubbles whose place ran out since it was asked last. */
  findExpired(): string[] {
    const expired = [...this.places].filter(([, place]) => place.until <= this.time.now && !place.isTold);
    for (const [, place] of expired) place.isTold = true;
    return expired.map(([bubble]) => bubble);
  }

  /** A bubble has one open offer, however often it is wanted. */
  want(bubble: string): void {
    if (!this.offers.has(bubble)) this.offers.set(bubble, { bubble, handedUntil: 0 });
  }

  /** Hands an offer to one machine; it is handed out again when nothing was heard of it for a lease. */
  take(host: Host): OpenOffer | undefined {
    for (const offer of this.offers.values()) {
      if (offer.handedUntil > this.time.now) continue;
      offer.handedUntil = this.time.now + this.leaseMs;
      offer.to = host;
      offer.isInDoubt = !host.isHealthy();
      return offer;
    }
    return undefined;
  }

  /** Whether an offer of this bubble was handed to a machine that fails; it is lost with it until the lease is over. */
  isInLostHands(bubble: string): boolean {
    const { handedUntil = 0, to, isInDoubt = false } = this.offers.get(bubble) ?? {};
    return handedUntil > this.time.now && (isInDoubt || to?.isHealthy() === false);
  }

  done({ bubble }: OpenOffer): void {
    this.offers.delete(bubble);
  }

  /** Numbers for processes, each once. */
  nextPid(): number {
    this.pids += 1;
    return this.pids;
  }
}
