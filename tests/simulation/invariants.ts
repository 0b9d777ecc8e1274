// What must never happen, whatever fails: looked for at every line that counts, at every process that is started, and every
// second. It sees the shared truth, which no machine does.
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { evolve } from "../../src/core/bubble/evolve.ts";
import { isFinal } from "../../src/core/bubble/lifecycle.ts";
import type { Envelope, EnvelopeOf } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import type { TurnSpec } from "../../src/ports/agent/seat.ts";
import type { Host } from "./host.ts";

/** More of them say nothing new, and a planted fault makes thousands. */
const mostNoted = 200;

export class Invariants {
  readonly violations: string[] = [];
  readonly counts = { lines: 0, handoffs: 0, lost: 0, started: 0 };
  /** Every bubble as its log says. */
  readonly states = new Map<string, State>();
  /** The tree that each attempt of a producer has made: `bubble/turn.attempt`. */
  readonly made = new Map<string, string>();
  private readonly strays = new Map<string, number>();
  private readonly handedOver = new Set<string>();
  private readonly started = new Set<string>();

  note(violation: string): void {
    if (this.violations.length < mostNoted) this.violations.push(violation);
  }

  /** Lines of one command that were appended; `host`: the machine that did. */
  takeLines(bubble: string, envelopes: readonly Envelope[], host?: Host): void {
    const before = this.states.get(bubble);
    const [first] = envelopes;
    // A repeated append returns the first lines: they are known.
    if (!first || (before && first.seq <= before.seq)) return;
    if (host) this.checkSpeaker(bubble, first, before, host);
    for (const envelope of envelopes) this.takeLine(bubble, envelope);
  }

  /** No driver acts after it was replaced: only the host of the recorded driver reports. */
  private checkSpeaker(bubble: string, first: Envelope, before: State | undefined, { id }: Host): void {
    const isOfAgent = first.type === "WARNING" && first.payload.code === "turn.stale";
    if (first.sender !== "orchestrator" || first.type === "DRIVER_CLAIMED" || isOfAgent) return;
    if (before?.driver && before.driver.host !== id)
      this.note(`${bubble}: ${first.type} of a replaced driver on ${id} counts`);
  }

  private takeLine(bubble: string, envelope: Envelope): void {
    const before = this.states.get(bubble);
    if (envelope.seq !== (before?.seq ?? 0) + 1) this.note(`${bubble}: a gap before ${envelope.seq}`);
    this.counts.lines += 1;
    if (envelope.type === "HANDOFF") this.checkHandoff(bubble, before, envelope);
    if (envelope.type === "HUMAN_QUESTION" && envelope.payload.kind === "tree-changed")
      this.note(`${bubble}: a human is asked about changes that nobody made`);
    if (envelope.type === "TURN_ENDED" && envelope.payload.outcome === "host-lost") this.counts.lost += 1;
    const after = evolve(before, envelope);
    if (after) this.states.set(bubble, after);
  }

  /** Of two attempts one counts, and its handoff has the tree that this attempt made. */
  private checkHandoff(bubble: string, before: State | undefined, { payload }: EnvelopeOf<"HANDOFF">): void {
    const { turn, attempt, tree, problems } = payload;
    if (problems.length > 0) return;
    const key = `${bubble}/${turn}`;
    if (this.handedOver.has(key)) this.note(`${key} was handed over twice`);
    this.handedOver.add(key);
    if (before?.turn?.role !== "implementer") return;
    this.counts.handoffs += 1;
    const made = this.made.get(`${key}.${attempt}`);
    if (made !== tree) this.note(`${key}.${attempt} made ${made} and handed over ${tree}`);
  }

  /** No attempt is started twice, and no driver starts anything after it was told that its place is lost. */
  takeStart(host: Host, { bubble, turn, attempt }: TurnSpec): void {
    const key = `${bubble}/${turn}`;
    this.counts.started += 1;
    if (this.started.has(`${key}.${attempt}`)) this.note(`${key}.${attempt} was started twice`);
    this.started.add(`${key}.${attempt}`);
    // What it is told in this very moment, it cannot have acted on.
    if ((host.lost.get(bubble) ?? host.time.now) < host.time.now)
      this.note(`${key}.${attempt} was started on ${host.id} after it lost its place`);
  }

  /** A finished turn is never paid twice. */
  checkPrompt(host: Host, bubble: string, turn: string): void {
    const isKnown = this.states.get(bubble)?.driver?.host === host.id;
    if (isKnown && this.handedOver.has(`${bubble}/${turn}`)) this.note(`${bubble}/${turn} is paid twice`);
  }

  /** Something is owed, or somebody is asked. */
  checkOwed(bubble: string): void {
    const state = this.states.get(bubble);
    if (!state || isFinal(state.lifecycle)) return;
    const isAsked = state.questions.length > 0 || state.lifecycle === "READY_FOR_APPROVAL";
    if (!isAsked && listDueEffects(state).length === 0)
      this.note(`${bubble}: nothing is owed and nobody is asked (${state.lifecycle})`);
  }

  /** What was started here for a bubble that is driven elsewhere is ended within this time. */
  checkStrays(host: Host, limitMs: number): void {
    const { now } = host.time;
    for (const { work } of host.processes.values()) {
      const driver = this.states.get(work.split("/")[1] ?? "")?.driver?.host;
      if (!driver || driver === host.id) this.strays.delete(work);
      else if (!this.strays.has(work)) this.strays.set(work, now);
      else if (now - (this.strays.get(work) ?? now) > limitMs)
        this.note(`${work} still runs on ${host.id}; ${driver} drives the bubble`);
    }
  }

  /** What a person is asked, if anything: whoever answers is heard. */
  findQuestion(bubble: string): string | undefined {
    return this.states.get(bubble)?.questions[0]?.id;
  }

  /** An agent whose turn runs, as everybody could have read before it spoke, is heard. */
  isAtWork(bubble: string, turn: string, attempt: number): boolean {
    const now = this.states.get(bubble)?.turn;
    return now?.id === turn && now.attempt === attempt && now.status === "running";
  }
}
