// The lines of bubbles that somebody looks at: read once, and then only what follows. Lines of which no picture is made are not
// held; where they stand is, so that the log shows any part of itself without the whole.

import { fetchNamed } from "../../../app/verify/git.ts";
import type { Envelope } from "../../../core/model/record/envelope.ts";
import { tryOrLater } from "../../../core/model/value/try-or.ts";
import { isSilent } from "../../../core/views/page/log.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { emptyHead, type Head } from "../../../ports/record/log.ts";
import type { NamedBubble } from "../record.ts";

/** Some lines in a row: where to begin to read them, and how many of each type there are. */
export interface Piece {
  readonly from: Head;
  readonly first: number;
  readonly last: number;
  readonly types: Readonly<Record<string, number>>;
}

export interface KeptLines {
  readonly head: Head;
  /** All that tell something. */
  readonly envelopes: readonly Envelope[];
  readonly pieces: readonly Piece[];
}

/** Few bubbles are looked at at once, and a long record is as much as many short ones; more would only hold memory. */
const mostKept = 4;
const mostLinesKept = 120_000;
/** What nobody has asked for in a minute is read again when somebody does. */
const keptMs = 60_000;
const kept = new Map<string, KeptLines>();
let forgetting: NodeJS.Timeout | undefined;

/** All lines that count and tell something. What was read before is not read again. */
export const listLines = async (named: NamedBubble): Promise<readonly Envelope[]> =>
  (await keepLines(named)).envelopes;

export async function keepLines({ repository, bubble, world }: NamedBubble): Promise<KeptLines> {
  const key = `${repository.path}\0${bubble}`;
  const known = kept.get(key);
  const read = (known && (await readOn(world, bubble, known))) ?? (await readAll(world, bubble));
  if (read.head.seq !== known?.head.seq) await fetchNamed(world, repository.path, bubble);
  kept.delete(key);
  kept.set(key, read);
  forgetOldest();
  clearTimeout(forgetting);
  forgetting = setTimeout(() => kept.clear(), keptMs).unref();
  return read;
}

function forgetOldest(): void {
  const countLines = () => [...kept.values()].reduce((sum, { envelopes }) => sum + envelopes.length, 0);
  for (const old of [...kept.keys()].slice(0, -1))
    if (kept.size > mostKept || countLines() > mostLinesKept) kept.delete(old);
}

async function readOn(world: RecordWorld, bubble: string, known: KeptLines): Promise<KeptLines | undefined> {
  // The log is not the one that was read before: all of it is read again.
  return tryOrLater(() => readFrom(world, bubble, known), undefined);
}

const readAll = (world: RecordWorld, bubble: string): Promise<KeptLines> =>
  readFrom(world, bubble, { head: emptyHead, envelopes: [], pieces: [] });

async function readFrom(world: RecordWorld, bubble: string, known: KeptLines): Promise<KeptLines> {
  const envelopes = [...known.envelopes];
  const pieces = [...known.pieces];
  let { head } = known;
  for await (const batch of world.log.read(bubble, head)) {
    for (const envelope of batch.envelopes) if (!isSilent(envelope)) envelopes.push(envelope);
    const last = batch.envelopes.at(-1);
    if (last)
      addPiece(pieces, {
        from: head,
        first: head.seq + 1,
        last: last.seq,
        types: countTypes(batch.envelopes),
      });
    head = batch.head;
  }
  return { head, envelopes, pieces };
}

/** A line that comes alone, as most do, makes no piece of its own. */
const fewLines = 200;

function addPiece(pieces: Piece[], more: Piece): void {
  const last = pieces.at(-1);
  if (!last || last.last - last.first >= fewLines) pieces.push(more);
  else {
    const types = { ...last.types };
    for (const [type, times] of Object.entries(more.types)) types[type] = (types[type] ?? 0) + times;
    pieces[pieces.length - 1] = { ...last, last: more.last, types };
  }
}

function countTypes(envelopes: readonly Envelope[]): Record<string, number> {
  const types: Record<string, number> = {};
  for (const { type } of envelopes) types[type] = (types[type] ?? 0) + 1;
  return types;
}
