// One command through the circle: fold, decide, artifacts, append, fold again, cache. The loser of a race decides
// anew on what the winner wrote.
import { decide } from "../core/bubble/decide.ts";
import { evolve } from "../core/bubble/evolve.ts";
import { messageName } from "../core/model/artifact-names.ts";
import type { Command } from "../core/model/command.ts";
import { type Envelope, place } from "../core/model/envelope.ts";
import type { Refusal } from "../core/model/refusal.ts";
import type { State } from "../core/model/state.ts";
import { redactLeaves } from "../core/redaction/leaves.ts";
import { inboxView } from "../core/views/inbox.ts";
import { messageKind, messageMarkdown } from "../core/views/message.ts";
import { summaryView } from "../core/views/summary.ts";
import { Failure } from "../ports/failure.ts";
import { emptyHead, type Head, type Skipped } from "../ports/log.ts";
import type { RecordWorld } from "./world.ts";

export interface Folded {
  readonly state: State | undefined;
  readonly head: Head;
  readonly skipped: readonly Skipped[];
}

export interface Handled {
  readonly state: State | undefined;
  readonly envelopes: readonly Envelope[];
  readonly refusal?: Refusal;
  readonly repeats?: number;
}

const maxConflicts = 50;

/** The state now: cache plus tail, or the whole log when the cache cannot be trusted (or `whole` asks for it). */
export async function load(world: RecordWorld, bubble: string, whole = false): Promise<Folded> {
  const cached = whole ? undefined : await world.records.load(bubble);
  if (!cached) return foldFrom(world, bubble, undefined, emptyHead);
  if (cached.isCurrent) return { state: cached.state, head: cached.head, skipped: [] };
  try {
    return await foldFrom(world, bubble, cached.state, cached.head);
  } catch (error) {
    if (error instanceof Failure && error.code === "log.head-lost")
      return foldFrom(world, bubble, undefined, emptyHead);
    throw error;
  }
}

async function foldFrom(
  world: RecordWorld,
  bubble: string,
  from: State | undefined,
  start: Head,
): Promise<Folded> {
  let state = from;
  let head = start;
  const skipped: Skipped[] = [];
  for await (const batch of world.log.read(bubble, start)) {
    for (const envelope of batch.envelopes) state = evolve(state, envelope);
    skipped.push(...batch.skipped);
    head = batch.head;
  }
  return { state, head, skipped };
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
  for (let conflict = 0; conflict < maxConflicts; conflict++) {
    const { state, head } = await load(world, bubble);
    const asked = typeof make === "function" ? make(state) : make;
    const command = redactLeaves(asked, world.redaction.redact);
    const at = later(world.clock.now(), state?.lastAt);
    const { drafts, ...rest } = decide(state, command, at);
    if (drafts.length === 0) return { state, envelopes: [], ...rest };
    world.crashPoint(`handle.${command.type}.decided`);
    const placed = place(drafts, { seq: head.seq, bubbleId: bubble, at, commandId });
    const sealed = await withMessages(world, bubble, placed);
    world.crashPoint(`handle.${command.type}.artifacts`);
    const appended = await world.log.append(bubble, head, sealed);
    if (appended.ok) {
      world.crashPoint(`handle.${command.type}.appended`);
      const next = appended.envelopes.reduce<State | undefined>(
        (so, envelope) => evolve(so, envelope),
        state,
      );
      await cache(world, bubble, next, appended.head, state);
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

const later = (now: string, last: string | undefined): string => (last && last > now ? last : now);

/** A readable copy of each message is durable before the envelope that names it. */
async function withMessages(
  world: RecordWorld,
  bubble: string,
  placed: readonly Omit<Envelope, "prev">[],
): Promise<Omit<Envelope, "prev">[]> {
  const sealed: Omit<Envelope, "prev">[] = [];
  for (const envelope of placed) {
    const kind = messageKind(envelope as Envelope);
    if (!kind) {
      sealed.push(envelope);
      continue;
    }
    const { name } = await world.records.put(
      bubble,
      messageName(envelope.seq, envelope.sender, kind),
      messageMarkdown(envelope as Envelope),
    );
    sealed.push({ ...envelope, refs: [...envelope.refs, `artifact://${name}`] });
  }
  return sealed;
}

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
