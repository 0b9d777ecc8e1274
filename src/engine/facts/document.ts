// The approved document that a bubble implements, read back from its artifact.
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import type { RecordWorld } from "../world/world.ts";

/** Its text as it was pinned, or undefined where the bubble implements none. Nobody works from a changed copy. */
export async function readPinnedDocument(
  world: Pick<RecordWorld, "records" | "hash">,
  { bubbleId, document }: State,
): Promise<string | undefined> {
  if (!document) return undefined;
  const bytes = await world.records.get(bubbleId, document.artifact);
  const text = bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (text !== undefined && world.hash.sha256(text) === document.sha256) return text;
  throw new Failure(
    "document.damaged",
    `${document.artifact} ${text === undefined ? "is gone" : "is not what was pinned"}; without it nobody can be told what to implement`,
    { hint: "put the file back from a copy, or stop the bubble and create it again" },
  );
}
