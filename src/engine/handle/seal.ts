// What a batch of lines gets before it is appended: a readable copy of each message, a ref for every artifact that a
// line names, and the hash of each. All of it is durable before the line.
import { nameMessage } from "../../core/model/record/artifact-names.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import { buildArtifactRef, completeRefs, parseArtifactRef } from "../../core/model/record/named-artifacts.ts";
import { getMessageKind, renderMessage } from "../../core/views/bubble/message.ts";
import { Failure } from "../../ports/failure.ts";
import type { RecordWorld } from "../world/world.ts";

type Unchained = Omit<Envelope, "prev">;

export async function seal(
  world: RecordWorld,
  bubble: string,
  placed: readonly Unchained[],
): Promise<Unchained[]> {
  const sealed: Unchained[] = [];
  for (const envelope of placed) {
    const message = await putMessage(world, bubble, envelope);
    const refs = [...completeRefs(envelope), ...(message ? [buildArtifactRef(message)] : [])];
    const hashes = await buildHashes(world, bubble, refs);
    sealed.push({ ...envelope, refs, ...(Object.keys(hashes).length > 0 ? { hashes } : {}) });
  }
  return sealed;
}

/** The name of the message's copy, for the types that people read as messages. */
async function putMessage(
  world: RecordWorld,
  bubble: string,
  envelope: Unchained,
): Promise<string | undefined> {
  const kind = getMessageKind(envelope as Envelope);
  if (!kind) return undefined;
  const name = nameMessage(envelope.seq, envelope.sender, kind);
  return (await world.records.put(bubble, name, renderMessage(envelope as Envelope))).name;
}

async function buildHashes(
  world: RecordWorld,
  bubble: string,
  refs: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const ref of refs) {
    const name = parseArtifactRef(ref);
    if (name === undefined) continue;
    const hash = await world.records.hash(bubble, name);
    if (hash === undefined) throw failArtifact(world, bubble, name);
    hashes[ref] = hash;
  }
  return hashes;
}

/** A line that names it would be a false one from its first moment. */
function failArtifact(world: RecordWorld, bubble: string, name: string): Failure {
  return new Failure(
    "artifact.missing",
    `The record was to name ${world.records.path(bubble, name)}, which is not there as it was stored; the command did not happen.`,
    { hint: `pairflow verify --id ${bubble}`, retryable: true },
  );
}
