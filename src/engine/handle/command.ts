// One command through the circle: fold, decide, artifacts, append, fold again, cache. The loser of a race decides
// anew on what the winner wrote.
import { decide } from "../../core/bubble/decide.ts";
import { evolve } from "../../core/bubble/evolve.ts";
import type { Command } from "../../core/model/command.ts";
import { type Envelope, type PayloadOf, placeDrafts } from "../../core/model/record/envelope.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { checkNotMoved } from "../../core/permission/proof/door.ts";
import { redactLeaves } from "../../core/redaction/values.ts";
import { listGatePrograms } from "../../core/trust/program.ts";
import { buildInboxView } from "../../core/views/bubble/inbox.ts";
import { buildSummaryView } from "../../core/views/bubble/summary.ts";
import { Failure } from "../../ports/failure.ts";
import {
  type AppendResult,
  emptyHead,
  type Head,
  type LogTrouble,
  type SkippedLine,
  toTroubleFailure,
  type Until,
} from "../../ports/record/log.ts";
import type { StateSnapshot } from "../../ports/record/records.ts";
import type { RecordWorld } from "../world/world.ts";
import { seal } from "./seal.ts";

export interface FoldedLog {
  readonly state: State | undefined;
  readonly head: Head;
  readonly skipped: readonly SkippedLine[];
  /** Why the log continues, but not the fold. */
  readonly trouble?: LogTrouble;
}

export interface CommandReply {
  readonly state: State | undefined;
  readonly envelopes: readonly Envelope[];
  readonly refusal?: Refusal;
  readonly repeats?: number;
}

const maxConflicts = 50;

/** The state now, for callers that act on it: throws `log.damaged` or `log.newer` when the log cannot be built on. */
export async function load(world: RecordWorld, bubble: string, whole = false): Promise<FoldedLog> {
  const folded = await loadGood(world, bubble, whole);
  if (folded.trouble) throw toTroubleFailure(bubble, folded.trouble);
  return folded;
}

/** What the good part of the log says, for reading: cache plus tail, or the whole log (`whole` asks for it). */
export async function loadGood(world: RecordWorld, bubble: string, whole = false): Promise<FoldedLog> {
  const folded = await fold(world, bubble, whole);
  if (folded.trouble?.kind !== "damaged") return folded;
  // A writer may have been in the middle of its write: what is damaged stays so.
  await world.clock.sleep(secondLookMs);
  return fold(world, bubble, true);
}

const secondLookMs = 20;

async function fold(world: RecordWorld, bubble: string, whole: boolean): Promise<FoldedLog> {
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
    return foldGood(world, bubble, (await cached.isStillOpen?.()) === false ? undefined : cached.head);
  }
}

/** The cache of the record that is open under this id. */
export async function loadCache(world: RecordWorld, bubble: string): Promise<StateSnapshot | undefined> {
  const cached = await world.records.load(bubble);
  return (await cached?.isStillOpen?.()) === false ? undefined : cached;
}

/** The log from its first byte, without what may have been changed. `lost`: a line that it does not hold any more. */
async function foldGood(world: RecordWorld, bubble: string, lost?: Head): Promise<FoldedLog> {
  const all = await foldFrom(world, bubble, undefined, emptyHead);
  const trouble = all.trouble ?? (lost && describeLostHead(lost, all.head));
  if (trouble?.suspect === undefined) return trouble ? { ...all, trouble } : all;
  const good = await foldFrom(world, bubble, undefined, emptyHead, { before: trouble.suspect });
  return { ...good, trouble };
}

/** The cache was made from a line that is not in the log any more. */
function describeLostHead(cached: Head, { seq }: Head): LogTrouble {
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
): Promise<FoldedLog> {
  let state = from;
  let head = start;
  let trouble: LogTrouble | undefined;
  const skipped: SkippedLine[] = [];
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
): Promise<CommandReply> {
  const commandId = world.chance.id();
  const whole = isForeground(make);
  for (let conflict = 0; conflict < maxConflicts; conflict++) {
    const { state, head } = await load(world, bubble, whole);
    const asked = typeof make === "function" ? make(state) : make;
    const command = redactLeaves(asked, world.redaction.redact);
    const moved = checkNotMoved(command, world.log.hashOf(head));
    if (moved) return { state, envelopes: [], refusal: moved };
    const at = pickLater(world.clock.now(), state?.lastAt);
    const { drafts, ...rest } = decide(state, command, at);
    if (drafts.length === 0) return { state, envelopes: [], ...rest };
    world.crashPoint(`handle.${command.type}.decided`);
    const placed = placeDrafts(drafts, { seq: head.seq, bubbleId: bubble, at, commandId });
    const sealed = await seal(world, bubble, placed);
    await rememberAdopted(world, sealed);
    world.crashPoint(`handle.${command.type}.artifacts`);
    const appended = await append(world, bubble, head, sealed);
    if (appended.ok) {
      world.crashPoint(`handle.${command.type}.appended`);
      const next = appended.envelopes.reduce<State | undefined>(
        (so, envelope) => evolve(so, envelope),
        state,
      );
      await saveCache(world, bubble, next, appended.head, state);
      await rememberNetwork(world, { before: state, after: next }, appended.envelopes);
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
 * Test commands of papers become gates only when a human has approved them: that is their confirmation. It is remembered
 * before the line that adopts them; a crash behind the line would leave gates that nobody has confirmed.
 */
async function rememberAdopted(
  { trust }: RecordWorld,
  envelopes: readonly Omit<Envelope, "prev">[],
): Promise<void> {
  for (const { type, payload, ts } of envelopes) {
    if (type !== "GATES_ADOPTED") continue;
    await trust?.remember(listGatePrograms((payload as PayloadOf<"GATES_ADOPTED">).gates), ts);
  }
}

/** A human's word adds the network to a gate; it never confirms a command that nobody was shown. */
async function rememberNetwork(
  { trust }: RecordWorld,
  { before, after }: Change,
  envelopes: readonly Envelope[],
): Promise<void> {
  const reply = envelopes.find(({ type }) => type === "HUMAN_REPLY");
  if (!trust || !reply) return;
  for (const gate of after?.profile.gates ?? []) {
    const was = before?.profile.gates.find(({ name }) => name === gate.name);
    if (gate.network !== "on" || !was || was.network === "on") continue;
    const open = await trust.unconfirmed(listGatePrograms([was]));
    if (open.length === 0) await trust.remember(listGatePrograms([gate]), reply.ts);
  }
}

/** A command that loses the line it was decided on says what became of the log, if that can be seen. */
async function append(
  world: RecordWorld,
  bubble: string,
  head: Head,
  sealed: readonly Omit<Envelope, "prev">[],
): Promise<AppendResult> {
  try {
    return await world.log.append(bubble, head, sealed);
  } catch (error) {
    if (error instanceof Failure && error.code === "log.head-lost") await load(world, bubble, true);
    throw error;
  }
}

const pickLater = (now: string, last: string | undefined): string => (last && last > now ? last : now);

async function saveCache(
  world: RecordWorld,
  bubble: string,
  state: State | undefined,
  head: Head,
  before: State | undefined,
): Promise<void> {
  if (!state) return;
  await world.records.save(bubble, { state, head }, buildSummaryView(state));
  const inbox = buildInboxView(state);
  if (inbox.length === 0 && (!before || buildInboxView(before).length === 0)) return;
  await world.records.view(bubble, "inbox.ndjson", inbox.map((item) => `${JSON.stringify(item)}\n`).join(""));
}
