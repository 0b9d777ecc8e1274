// One command through the circle: fold, decide, artifacts, append, fold again, cache. The loser of a race decides
// anew on what the winner wrote.
import { decide } from "../../core/bubble/decide.ts";
import { evolve } from "../../core/bubble/evolve.ts";
import type { Command } from "../../core/model/command.ts";
import { type Envelope, place } from "../../core/model/envelope.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { redactLeaves } from "../../core/redaction/leaves.ts";
import { gatePrograms } from "../../core/trust/program.ts";
import { inboxView } from "../../core/views/inbox.ts";
import { summaryView } from "../../core/views/summary.ts";
import { Failure } from "../../ports/failure.ts";
import {
  type Appended,
  emptyHead,
  type Head,
  type Skipped,
  type Trouble,
  troubleFailure,
  type Until,
} from "../../ports/log.ts";
import type { RecordWorld } from "../world/world.ts";
import { seal } from "./seal.ts";

export interface Folded {
  readonly state: State | undefined;
  readonly head: Head;
  readonly skipped: readonly Skipped[];
  /** Why the log continues, but not the fold. */
  readonly trouble?: Trouble;
}

export interface Handled {
  readonly state: State | undefined;
  readonly envelopes: readonly Envelope[];
  readonly refusal?: Refusal;
  readonly repeats?: number;
}

const maxConflicts = 50;

/** The state now, for whoever acts on it: throws `log.damaged` or `log.newer` when the log cannot be built on. */
export async function load(world: RecordWorld, bubble: string, whole = false): Promise<Folded> {
  const folded = await loadGood(world, bubble, whole);
  if (folded.trouble) throw troubleFailure(bubble, folded.trouble);
  return folded;
}

/** What the good part of the log says, for reading: cache plus tail, or the whole log (`whole` asks for it). */
export async function loadGood(world: RecordWorld, bubble: string, whole = false): Promise<Folded> {
  const folded = await fold(world, bubble, whole);
  if (folded.trouble?.kind !== "damaged") return folded;
  // A writer may have been in the middle of its write: what is damaged stays so.
  await world.clock.sleep(secondLookMs);
  return fold(world, bubble, true);
}

const secondLookMs = 20;

async function fold(world: RecordWorld, bubble: string, whole: boolean): Promise<Folded> {
  // The cache first: a command that is at work now makes the log longer than the cache, never shorter.
  const cached = await world.records.load(bubble);
  if (!cached) return foldGood(world, bubble);
  if (cached.isCurrent && !whole) return { state: cached.state, head: cached.head, skipped: [] };
  try {
    const tail = await foldFrom(world, bubble, cached.state, cached.head);
    // Changed without having grown: whatever was done to it is not in its tail.
    const isWhole = whole || cached.isTouched || tail.trouble;
    return isWhole ? await foldGood(world, bubble) : tail;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "log.head-lost") throw error;
    return foldGood(world, bubble, cached.head);
  }
}

/** The log from its first byte, without what may have been changed. `lost`: a line that it does not hold any more. */
async function foldGood(world: RecordWorld, bubble: string, lost?: Head): Promise<Folded> {
  const all = await foldFrom(world, bubble, undefined, emptyHead);
  const trouble = all.trouble ?? (lost && lostBehind(lost, all.head));
  if (trouble?.suspect === undefined) return trouble ? { ...all, trouble } : all;
  const good = await foldFrom(world, bubble, undefined, emptyHead, { before: trouble.suspect });
  return { ...good, trouble };
}

/** The cache was made from a line that is not in the log any more. */
function lostBehind(cached: Head, { seq }: Head): Trouble {
  if (cached.seq > seq) {
    const reason = `it ends at message ${seq}, but message ${cached.seq} was there before: it was cut off`;
    return { kind: "damaged", reason };
  }
  const reason = `message ${cached.seq} is not the one that was read before`;
  return { kind: "damaged", reason, suspect: cached.seq };
}

async function foldFrom(
  world: RecordWorld,
  bubble: string,
  from: State | undefined,
  start: Head,
  until?: Until,
): Promise<Folded> {
  let state = from;
  let head = start;
  let trouble: Trouble | undefined;
  const skipped: Skipped[] = [];
  for await (const batch of world.log.read(bubble, start, until)) {
    for (const envelope of batch.envelopes) state = evolve(state, envelope);
    skipped.push(...batch.skipped);
    head = batch.head;
    trouble = batch.trouble;
  }
  return { state, head, skipped, ...(trouble ? { trouble } : {}) };
}

/** What a person asks for is decided on the whole log: the cache is for reading, and for agents' haste. */
function isForeground(make: Command | ((state: State | undefined) => Command)): boolean {
  if (typeof make === "function" || make.actor.kind !== "operator") return false;
  return make.actor.as === undefined && make.type !== "create";
}

/**
 * Puts a command to the referee. `make` sees the state the command will be decided on. Secrets are taken out of it
 * first: what the referee never saw is in no line, no message, no cache, and cannot be cut in half by a limit.
 */
export async function handle(
  world: RecordWorld,
  bubble: string,
  make: Command | ((state: State | undefined) => Command),
): Promise<Handled> {
  const commandId = world.chance.id();
  const whole = isForeground(make);
  for (let conflict = 0; conflict < maxConflicts; conflict++) {
    const { state, head } = await load(world, bubble, whole);
    const asked = typeof make === "function" ? make(state) : make;
    const command = redactLeaves(asked, world.redaction.redact);
    const at = later(world.clock.now(), state?.lastAt);
    const { drafts, ...rest } = decide(state, command, at);
    if (drafts.length === 0) return { state, envelopes: [], ...rest };
    world.crashPoint(`handle.${command.type}.decided`);
    const placed = place(drafts, { seq: head.seq, bubbleId: bubble, at, commandId });
    const sealed = await seal(world, bubble, placed);
    world.crashPoint(`handle.${command.type}.artifacts`);
    const appended = await append(world, bubble, head, sealed);
    if (appended.ok) {
      world.crashPoint(`handle.${command.type}.appended`);
      const next = appended.envelopes.reduce<State | undefined>(
        (so, envelope) => evolve(so, envelope),
        state,
      );
      await cache(world, bubble, next, appended.head, state);
      await rememberConfirmed(world, { before: state, after: next }, appended.envelopes);
      world.crashPoint(`handle.${command.type}.cached`);
      return { state: next, envelopes: appended.envelopes, ...rest };
    }
    await world.clock.sleep(Math.min(2 ** conflict, 20) * (0.5 + (commandId.charCodeAt(0) % 8) / 8));
  }
  throw new Failure("log.contended", `${bubble}: ${maxConflicts} other commands were faster`, {
    retryable: true,
    hint: "try again",
  });
}

interface Change {
  readonly before: State | undefined;
  readonly after: State | undefined;
}

/**
 * Test commands of papers become gates only when a human has approved them, and a gate has the network when a human said so:
 * that is their confirmation.
 */
async function rememberConfirmed(
  world: RecordWorld,
  change: Change,
  envelopes: readonly Envelope[],
): Promise<void> {
  for (const { type, payload, ts } of envelopes) {
    if (type === "GATES_ADOPTED") await world.trust?.remember(gatePrograms(payload.gates), ts);
    if (type === "HUMAN_REPLY") await rememberNetwork(world, change, ts);
  }
}

/** The word adds the network to a gate; it never confirms a command that nobody was shown. */
async function rememberNetwork({ trust }: RecordWorld, { before, after }: Change, ts: string): Promise<void> {
  for (const gate of after?.profile.gates ?? []) {
    const was = before?.profile.gates.find(({ name }) => name === gate.name);
    if (!trust || gate.network !== "on" || !was || was.network === "on") continue;
    const open = await trust.unconfirmed(gatePrograms([was]));
    if (open.length === 0) await trust.remember(gatePrograms([gate]), ts);
  }
}

/** Whoever loses the line it stands on says what became of the log, if that can be seen. */
async function append(
  world: RecordWorld,
  bubble: string,
  head: Head,
  sealed: readonly Omit<Envelope, "prev">[],
): Promise<Appended> {
  try {
    return await world.log.append(bubble, head, sealed);
  } catch (error) {
    if (error instanceof Failure && error.code === "log.head-lost") await load(world, bubble, true);
    throw error;
  }
}

const later = (now: string, last: string | undefined): string => (last && last > now ? last : now);

async function cache(
  world: RecordWorld,
  bubble: string,
  state: State | undefined,
  head: Head,
  before: State | undefined,
): Promise<void> {
  if (!state) return;
  await world.records.save(bubble, { state, head }, summaryView(state));
  const inbox = inboxView(state);
  if (inbox.length === 0 && (!before || inboxView(before).length === 0)) return;
  await world.records.view(bubble, "inbox.ndjson", inbox.map((item) => `${JSON.stringify(item)}\n`).join(""));
}
