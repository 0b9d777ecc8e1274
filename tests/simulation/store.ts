// What all machines share: the log, the records and the drivers' places, kept by a lease on the store's own clock. It also
// watches: every line that counts is folded here, and what must never happen is noted.
import { createMemoryLog } from "../../src/adapters/log/memory.ts";
import { createMemoryRecords } from "../../src/adapters/records/memory.ts";
import { evolve } from "../../src/core/bubble/evolve.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import type { EventLog } from "../../src/ports/record/log.ts";
import type { Beat, Records, Runtime } from "../../src/ports/record/records.ts";
import type { VirtualTime } from "./virtual-time.ts";

export class Store {
  readonly leaseMs: number;
  readonly states = new Map<string, State>();
  readonly violations: string[] = [];
  readonly counts = { lines: 0, handoffs: 0, lost: 0 };
  /** The tree that each attempt of a producer has made: `bubble/turn.attempt`. */
  readonly made = new Map<string, string>();
  /** The newest pinned tree of each bubble: pins travel with the record. */
  readonly pins = new Map<string, string>();
  readonly places = new Map<string, { beat: Beat; until: number }>();
  readonly records: Records = createMemoryRecords();
  readonly log: EventLog;
  private pids = 0;
  private readonly accepted = new Set<string>();
  private readonly time: VirtualTime;

  constructor(time: VirtualTime, leaseMs: number) {
    this.time = time;
    this.leaseMs = leaseMs;
    const log = createMemoryLog();
    this.log = {
      ...log,
      append: async (bubble, expected, envelopes) => {
        const done = await log.append(bubble, expected, envelopes);
        if (done.ok) for (const envelope of done.envelopes) this.watch(bubble, envelope);
        return done;
      },
    };
  }

  runtime(): Omit<Runtime, "sign" | "lastSign" | "note" | "noted"> {
    const holder = (bubble: string) => {
      const place = this.places.get(bubble);
      return place && place.until > this.time.now ? place.beat : undefined;
    };
    return {
      leaseMs: this.leaseMs,
      claim: async (bubble, beat) => {
        const held = holder(bubble);
        if (held && held.driver !== beat.driver) return { ok: false, holder: held };
        this.places.set(bubble, { beat, until: this.time.now + this.leaseMs });
        return { ok: true };
      },
      beat: async (bubble, beat) => {
        if (holder(bubble)?.driver !== beat.driver) return false;
        this.places.set(bubble, { beat, until: this.time.now + this.leaseMs });
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

  /** Numbers for processes, each once. */
  nextPid(): number {
    this.pids += 1;
    return this.pids;
  }

  isHeld(bubble: string): boolean {
    return (this.places.get(bubble)?.until ?? 0) > this.time.now;
  }

  private watch(bubble: string, envelope: Envelope): void {
    const before = this.states.get(bubble);
    // A repeated append returns the first lines: they are known.
    if (before && envelope.seq <= before.seq) return;
    if (envelope.seq !== (before?.seq ?? 0) + 1)
      this.violations.push(`${bubble}: a gap before ${envelope.seq}`);
    this.counts.lines += 1;
    if (envelope.type === "HANDOFF") this.watchHandoff(bubble, before, envelope);
    if (envelope.type === "HUMAN_QUESTION" && envelope.payload.kind === "tree-changed")
      this.violations.push(`${bubble}: a human is asked about changes that nobody made`);
    if (envelope.type === "TURN_ENDED" && envelope.payload.outcome === "host-lost") this.counts.lost += 1;
    const after = evolve(before, envelope);
    if (after) this.states.set(bubble, after);
  }

  private watchHandoff(
    bubble: string,
    before: State | undefined,
    { payload }: Extract<Envelope, { type: "HANDOFF" }>,
  ): void {
    const { turn, attempt, tree, problems } = payload;
    if (problems.length > 0 || before?.turn?.role !== "implementer") return;
    this.counts.handoffs += 1;
    const key = `${bubble}/${turn}`;
    if (this.accepted.has(key)) this.violations.push(`${key} was handed over twice`);
    this.accepted.add(key);
    const made = this.made.get(`${key}.${attempt}`);
    if (made !== tree) this.violations.push(`${key}.${attempt} made ${made} and handed over ${tree}`);
  }
}
