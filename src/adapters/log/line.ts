// One line of a transcript: how an envelope becomes bytes, and how the lines are chained. The file and the
// memory log share it, so that both give the same envelopes the same hashes.
import { type Envelope, parseEnvelope } from "../../core/model/record/envelope.ts";
import { createHash } from "../../core/text/sha256.ts";
import { Failure } from "../../ports/failure.ts";

/** The longest line that counts. It may be raised one day, never lowered: old lines must count for ever. */
export const maxLineBytes = 512 * 1024;
/** What agents and people say; the referee's own facts, such as a long workflow, may need more. */
const maxSaidBytes = 64 * 1024;

export type UnchainedEnvelope = Omit<Envelope, "prev">;

export interface TranscriptLine {
  readonly bytes: Buffer;
  readonly hash: string;
  /** The envelope as a reader will get it back. */
  readonly envelope: Envelope;
}

/** Hash of a line's bytes without its newline. A reader whose cache is fresh hashes nothing, a handoff very little. */
export const hashOf = createHash(
  (bytes) => process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex"),
  (one, other) => Buffer.compare(one, other) === 0,
);

/**
 * Turns one command's envelopes into chained lines after (`seq`, `prev`).
 * What no reader would count is refused here: too long is a Failure, out of place or malformed is a bug.
 */
export function chainLines(
  envelopes: readonly UnchainedEnvelope[],
  seq: number,
  prev: string,
): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  const first = envelopes[0];
  if (!first) throw new Error("nothing to append");
  for (const [i, envelope] of envelopes.entries()) {
    const { batch } = envelope;
    const inPlace =
      envelope.seq === seq + i + 1 &&
      batch.id === first.batch.id &&
      batch.i === i &&
      batch.n === envelopes.length;
    if (!inPlace)
      throw new Error(`envelope ${envelope.id} has not its place: seq ${envelope.seq} after ${seq + i}`);
    if (envelope.bubble_id !== first.bubble_id)
      throw new Error(`envelope ${envelope.id} is of another bubble`);
    lines.push(encode(envelope, lines.at(-1)?.hash ?? prev));
  }
  return lines;
}

function encode(envelope: UnchainedEnvelope, prev: string): TranscriptLine {
  const { v, seq, id, ts, bubble_id, sender, recipient, type, round, payload, refs, hashes, batch } =
    envelope;
  const text = JSON.stringify({
    ...{ v, seq, id, ts, bubble_id, sender, recipient, type, round, payload, refs },
    ...(hashes && { hashes }),
    batch: { id: batch.id, i: batch.i, n: batch.n },
    prev,
  });
  const bytes = Buffer.from(text);
  const isSaid = sender !== "orchestrator" && type !== "BUBBLE_CREATED";
  const most = isSaid ? maxSaidBytes : maxLineBytes;
  if (bytes.length > most)
    throw new Failure(
      "log.envelope-too-large",
      `A ${type} envelope of ${bytes.length} bytes does not fit the log.`,
      {
        hint: `An envelope holds at most ${most} bytes; hand long texts in as a file.`,
      },
    );
  const parsed = parseEnvelope(JSON.parse(text));
  if (typeof parsed === "string") throw new Error(`envelope ${id} could not be read back: ${parsed}`);
  return { bytes, hash: hashOf(bytes), envelope: parsed };
}
