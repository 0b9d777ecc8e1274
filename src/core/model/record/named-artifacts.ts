// Which artifacts a line rests on: those its refs name, and those its payload names. All of them are refs of a sealed
// line and have a hash there, so that nothing a line names can be changed unseen.
import type { Envelope } from "./envelope.ts";

const scheme = "artifact://";

/** The name of an artifact that a ref stands for; undefined for a file of the worktree. */
export function parseArtifactRef(ref: string): string | undefined {
  return ref.startsWith(scheme) ? ref.slice(scheme.length) : undefined;
}

export const buildArtifactRef = (name: string): string => scheme + name;

/** An artifact of any bubble, as texts name it that are kept: where it lies differs from machine to machine. */
export const nameArtifactOf = (bubble: string, name: string): string => `${scheme}${bubble}/${name}`;

/** Every artifact of a bubble that a text names so, each once. */
export function listNamedArtifacts(text: string): { named: string; bubble: string; name: string }[] {
  const found = text.matchAll(/artifact:\/\/([a-z0-9][a-z0-9_-]{0,62})\/([\w-][\w./-]*[\w-])/gi);
  const each = new Map([...found].map(([named, bubble = "", name = ""]) => [named, { named, bubble, name }]));
  // The longest first: one name may begin another one.
  return [...each.values()].sort((one, other) => other.named.length - one.named.length);
}

const copies = buildArtifactRef("messages/");

/** The files that a verb handed in: its line also names the readable copy of the message itself. */
export const listHandedInRefs = (refs: readonly string[]): string[] =>
  refs.filter((ref) => !ref.startsWith(copies));

/** The refs of a line with those its payload names, in this order, each once. */
export function completeRefs(envelope: Pick<Envelope, "type" | "payload" | "refs">): string[] {
  const named = [...listPayloadArtifacts(envelope as Envelope), findProof(envelope.payload)].filter(
    (name) => name !== undefined && name !== "",
  );
  return [...new Set([...envelope.refs, ...named.map((name) => buildArtifactRef(name as string))])];
}

/** The proof by which a line was granted, whatever its type. */
function findProof(payload: Envelope["payload"]): string | undefined {
  return "door" in payload ? payload.door?.passkey?.artifact : undefined;
}

/** Views are not among them: they are replaced, and nothing reads them back. */
function listPayloadArtifacts(envelope: Envelope): (string | undefined)[] {
  switch (envelope.type) {
    case "BUBBLE_CREATED": {
      const { task, workflow_artifact, knowledge, document } = envelope.payload;
      return [task.artifact, workflow_artifact, knowledge?.artifact, document?.artifact];
    }
    case "TASK":
      return [envelope.payload.document?.artifact];
    case "WORKSPACE_READY":
      return [envelope.payload.git?.artifact, envelope.payload.put_back];
    case "HUMAN_QUESTION":
      return [envelope.payload.git?.artifact];
    case "TURN_STARTED":
      return [envelope.payload.prompt];
    case "HANDOFF":
      return [envelope.payload.diff, envelope.payload.put_back];
    case "JOINED":
    case "BASE_UPDATED":
      return [envelope.payload.diff];
    case "GATES_RESULT":
      return [envelope.payload.output];
    case "TREE_RESTORED":
      return [envelope.payload.patch];
    case "DONE_PACKAGE":
      return [envelope.payload.artifact];
    default:
      return [];
  }
}
