// A part of a log, read where it stands: the lines before a place, all or of one type, and whether there are others around them.
import type { Envelope } from "../../../core/model/record/envelope.ts";
import type { LogPart } from "../../../core/views/page/log.ts";
import type { NamedBubble } from "../record.ts";
import { keepLines, type Piece } from "./kept.ts";

export interface PartQuery {
  /** Only lines before this one; the newest if left out. */
  readonly before?: number | undefined;
  readonly count: number;
  /** Only lines of this type. */
  readonly type?: string | undefined;
}

export async function readPart(named: NamedBubble, query: PartQuery): Promise<LogPart> {
  const { pieces } = await keepLines(named);
  const { before, type } = query;
  const fitting = type === undefined ? pieces : pieces.filter(({ types }) => types[type]);
  const earlier = await readEarlier(named, fitting, query);
  const later = before === undefined ? [] : await readLater(named, fitting, { ...query, before });
  const rows = earlier.slice(-query.count);
  return {
    rows,
    before: earlier.length > rows.length ? (rows[0]?.seq ?? null) : null,
    later: (later.at(-1)?.seq ?? -1) + 1 || null,
    types: [...new Set(pieces.flatMap(({ types }) => Object.keys(types)))].sort(),
  };
}

/** One more than is asked for, where there is one. */
async function readEarlier(
  named: NamedBubble,
  pieces: readonly Piece[],
  { before = Number.POSITIVE_INFINITY, count, type }: PartQuery,
): Promise<readonly Envelope[]> {
  let found: readonly Envelope[] = [];
  for (const piece of pieces.filter(({ first }) => first < before).reverse()) {
    const lines = await readPiece(named, piece, type);
    found = [...lines.filter(({ seq }) => seq < before), ...found];
    if (found.length > count) break;
  }
  return found.slice(-count - 1);
}

async function readLater(
  named: NamedBubble,
  pieces: readonly Piece[],
  { before, count, type }: PartQuery & { readonly before: number },
): Promise<readonly Envelope[]> {
  const found: Envelope[] = [];
  for (const piece of pieces.filter(({ last }) => last >= before)) {
    const lines = await readPiece(named, piece, type);
    found.push(...lines.filter(({ seq }) => seq >= before));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

async function readPiece(
  { world, bubble }: NamedBubble,
  { from, last }: Piece,
  type: string | undefined,
): Promise<Envelope[]> {
  const found: Envelope[] = [];
  for await (const { envelopes, head } of world.log.read(bubble, from)) {
    for (const envelope of envelopes)
      if (envelope.seq <= last && (type === undefined || envelope.type === type)) found.push(envelope);
    if (head.seq >= last) break;
  }
  return found;
}
