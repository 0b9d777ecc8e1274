// The knowledge a bubble has pinned, read back from its artifact; and what of it applies to a tree.
import { assembleKnowledge } from "../../core/knowledge/assemble.ts";
import { createEmptyKnowledge, openKnowledge, type ReadBack } from "../../core/knowledge/knowledge.ts";
import type { ChangedFile, TreeContext } from "../../core/model/record/payloads/parts.ts";
import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { listNamedFiles } from "../../core/paper/named-files.ts";
import type { RecordWorld } from "../world/world.ts";

type Reading = Pick<RecordWorld, "records" | "hash">;

/** What was pinned at the bubble's creation, or why it cannot be read. */
export async function readPinnedKnowledge(world: Reading, state: State): Promise<ReadBack> {
  const { knowledge: pinned, baseCommit, bubbleId } = state;
  if (!pinned) return { ok: true, knowledge: createEmptyKnowledge(baseCommit) };
  const bytes = await world.records.get(bubbleId, pinned.artifact);
  // The bytes that are there are hashed, not a text that would have to be made into bytes once more.
  const hash = bytes ? () => world.hash.sha256(bytes) : world.hash.sha256;
  return openKnowledge(bytes ? new TextDecoder().decode(bytes) : undefined, pinned, hash);
}

/** Of a renamed file both names count. */
export const listChangedPaths = (files: readonly ChangedFile[]): string[] =>
  files.flatMap(({ path, from }) => (from ? [from, path] : [path]));

/** What the current tree is about: its changed files, or what its paper names. */
export function findTreeSubject({ tree, papers }: State): {
  readonly files: string[];
  readonly named?: string[];
} {
  const kind = tree?.paper?.kind;
  if (kind === undefined) return { files: listChangedPaths(tree?.files ?? []) };
  const paper = papers?.[kind];
  return { files: [], named: paper ? listNamedFiles(paper.value) : [] };
}

/** What a critic of these files must answer for. Knowledge that cannot be read, tried twice, stops the review. */
export async function assembleTreeContext(
  world: Reading,
  state: State,
  files: readonly ChangedFile[],
): Promise<TreeContext> {
  const first = await readPinnedKnowledge(world, state);
  const read = first.ok ? first : await readPinnedKnowledge(world, state);
  if (!read.ok) return { sops: [], digest: "", problem: clip(read.refusal.message, 1000) };
  const { context } = assembleKnowledge(read.knowledge, {
    files: listChangedPaths(files),
    side: "critic",
    blind: state.config.review.blind,
    task: await readTaskText(world, state),
    priorDecisions: [],
    budget: state.config.review.context_chars,
    hash: world.hash.sha256,
  });
  return context;
}

/** The whole text of the task. */
export async function readTaskText(world: Pick<RecordWorld, "records">, state: State): Promise<string> {
  const bytes = await world.records.get(state.bubbleId, state.task.artifact);
  return bytes ? new TextDecoder().decode(bytes) : state.task.excerpt;
}
