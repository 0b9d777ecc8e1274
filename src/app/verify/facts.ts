// What single messages claim about the world beside the log: artifacts they name, digests and trees they sign.
import type { Envelope } from "../../core/model/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { approvalSubject } from "../../core/views/package.ts";
import type { RecordWorld } from "../../engine/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { Problem } from "./chain.ts";

/** Artifacts that a message names and that are gone, or that are not what was signed. */
export async function artifactProblems(
  world: RecordWorld,
  bubble: string,
  envelope: Envelope,
  seen: Set<string>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const names = envelope.refs
    .filter((ref) => ref.startsWith("artifact://"))
    .map((ref) => ref.slice("artifact://".length));
  for (const name of names.filter((one) => !seen.has(one))) {
    seen.add(name);
    if ((await bytesOf(world, bubble, name)) === undefined) {
      problems.push({ message: `message ${envelope.seq} names the artifact ${name}, which is not there` });
    }
  }
  if (envelope.type === "DONE_PACKAGE") {
    const { artifact, sha256 } = envelope.payload;
    const bytes = await bytesOf(world, bubble, artifact);
    if (bytes && world.hash.sha256(bytes) !== sha256) {
      problems.push({ message: `message ${envelope.seq} signed another ${artifact}: its hash differs` });
    }
  }
  return problems;
}

async function bytesOf(world: RecordWorld, bubble: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await world.records.get(bubble, name);
  } catch (error) {
    // A name that leads out of the folder is as good as missing.
    if (error instanceof Failure && error.code === "artifact.bad-name") return undefined;
    throw error;
  }
}

/** Whether what was asked, signed and committed is what the record says, computed again. */
export function signatureProblems(world: RecordWorld, state: State, envelope: Envelope): Problem[] {
  const { approval } = state;
  const wrong = (message: string): Problem[] => [{ message: `message ${envelope.seq} ${message}` }];
  switch (envelope.type) {
    case "APPROVAL_REQUEST": {
      const digest = world.hash.sha256(approvalSubject(state, approval?.sha256 ?? ""));
      return digest === envelope.payload.digest
        ? []
        : wrong("asks for approval of a digest that is not the record's");
    }
    case "APPROVAL_DECISION":
      return envelope.payload.digest === approval?.digest
        ? []
        : wrong("decides about another digest than was asked");
    case "COMMITTED":
      return envelope.payload.tree === approval?.tree ? [] : wrong("commits another tree than was approved");
    default:
      return [];
  }
}
