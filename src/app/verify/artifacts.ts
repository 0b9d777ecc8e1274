// Artifacts against the lines that name them: there, and byte for byte what the line's hash stands for.
import type { Envelope } from "../../core/model/record/envelope.ts";
import { parseArtifactRef } from "../../core/model/record/named-artifacts.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { RecordProblem } from "./chain.ts";

/** Artifacts that a message names and that are gone, or that are not what it names. `seen` has those looked at before. */
export async function checkArtifacts(
  world: RecordWorld,
  bubble: string,
  envelope: Envelope,
  seen: Set<string>,
): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = [];
  const where = `message ${envelope.seq} (${envelope.type})`;
  for (const ref of envelope.refs) {
    const name = parseArtifactRef(ref);
    const wanted = getExpectedHash(envelope, ref);
    const key = `${name} ${wanted}`;
    if (name === undefined || seen.has(key)) continue;
    seen.add(key);
    const bytes = await findBytes(world, bubble, name);
    if (bytes === undefined) {
      problems.push({ message: `${where} names the artifact ${name}, which is not there` });
    } else if (wanted !== undefined && world.hash.sha256(bytes) !== wanted) {
      const path = world.records.path(bubble, name);
      problems.push({
        message: `${where} names ${name} with another hash: ${path} was changed after it was written`,
      });
    }
  }
  return problems;
}

/** A package has had its hash from the start, as what a human signs. */
function getExpectedHash(envelope: Envelope, ref: string): string | undefined {
  const hash = envelope.hashes?.[ref];
  if (hash !== undefined || envelope.type !== "DONE_PACKAGE") return hash;
  return parseArtifactRef(ref) === envelope.payload.artifact ? envelope.payload.sha256 : undefined;
}

/** How many lines name artifacts without a hash: they were written before there were hashes. */
export function isWithoutHashes(envelope: Envelope): boolean {
  return envelope.hashes === undefined && envelope.refs.some((ref) => parseArtifactRef(ref) !== undefined);
}

/** Everything the record names by artifacts, from its first line; empty when all of it is as it was written. */
export async function findChangedArtifacts(world: RecordWorld, bubble: string): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = [];
  const seen = new Set<string>();
  for await (const batch of world.log.read(bubble)) {
    for (const envelope of batch.envelopes)
      problems.push(...(await checkArtifacts(world, bubble, envelope, seen)));
  }
  return problems;
}

async function findBytes(world: RecordWorld, bubble: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await world.records.get(bubble, name);
  } catch (error) {
    // A name that leads out of the folder is as good as missing.
    if (error instanceof Failure && error.code === "artifact.bad-name") return undefined;
    throw error;
  }
}
