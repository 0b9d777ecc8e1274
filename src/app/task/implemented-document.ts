// The approved document that a bubble implements: found and checked when the bubble is made, kept with it as an artifact.
import { collectEntries } from "../../core/document/entries.ts";
import { readDocument } from "../../core/document/problem.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { ImplementedDocument } from "../../core/model/record/payloads/parts.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { load } from "../../engine/front/command.ts";
import type { RecordWorld, World } from "../../engine/front/world.ts";

/** The document as it was approved. */
export interface DocumentToImplement extends Pick<ImplementedDocument, "bubble" | "path" | "tree"> {
  readonly text: string;
}

/** `implements` names a document bubble that a human approved; `require_document` makes it a duty. Throws a refusal. */
export async function resolveImplementedDocument(
  world: World,
  config: BubbleConfig,
): Promise<DocumentToImplement | undefined> {
  const source = config.implements;
  if (source) return readApprovedText(world, await loadApprovedState(world, source));
  if (config.require_document && config.kind === "implementation")
    throw refuse(
      "document.required",
      "this project implements only what an approved document bubble describes",
      "add --implements <document bubble>",
    );
  return undefined;
}

async function loadApprovedState(world: World, source: string): Promise<State> {
  const { state } = (await world.records.exists(source)) ? await load(world, source) : { state: undefined };
  if (!state) throw refuse("document.unknown", `there is no bubble ${source}`, "pairflow bubble list --all");
  if (state.config.kind !== "document")
    throw refuse(
      "document.not-a-document",
      `${source} is an implementation bubble, not a document`,
      "name the bubble that wrote the document",
    );
  if (state.approval?.decision !== "approve")
    throw refuse(
      "document.not-approved",
      `document bubble ${source} is ${state.lifecycle}; its document is not approved`,
      `pairflow bubble status --id ${source}`,
    );
  return state;
}

/** Read from the tree that was signed: what the file says today may be something else. */
async function readApprovedText(world: World, state: State): Promise<DocumentToImplement> {
  const tree = state.approval?.tree ?? "";
  const path = state.config.document ?? "";
  const [file] = await world.trees.read(state, [{ tree, path }]);
  if (file?.kind !== "text")
    throw refuse(
      "document.unreadable",
      `${path} of ${state.bubbleId} is not a text of at most 2 MB in the approved tree`,
      `pairflow verify --id ${state.bubbleId}`,
    );
  return { bubble: state.bubbleId, path, tree, text: file.text };
}

/** The acceptance criteria of the document: who builds it is judged by them. */
export function listDocumentCriteria(document: DocumentToImplement | undefined): string[] {
  if (!document) return [];
  return collectEntries(readDocument(document.text)).criteria.map(({ text }) => clip(text, 2000));
}

/** Keeps the document's bytes beside the bubble's record. */
export async function pinDocument(
  world: Pick<RecordWorld, "records">,
  id: string,
  { bubble, path, tree, text }: DocumentToImplement,
): Promise<ImplementedDocument> {
  const { name, sha256 } = await world.records.put(id, "implements.md", text);
  return { bubble, path, tree, artifact: name, sha256 };
}
