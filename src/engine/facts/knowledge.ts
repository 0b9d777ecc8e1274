// The knowledge a bubble has pinned, read back from its artifact; and what of it applies to a tree.
import { assemble } from "../../core/knowledge/assemble.ts";
import { noKnowledge, openKnowledge, type ReadBack } from "../../core/knowledge/knowledge.ts";
import type { ChangedFile, TreeContext } from "../../core/model/payloads.ts";
import { clip } from "../../core/model/sizes.ts";
import type { State } from "../../core/model/state.ts";
import { namedFiles } from "../../core/paper/named-files.ts";
import type { RecordWorld } from "../world/world.ts";

type Reading = Pick<RecordWorld, "records" | "hash">;

/** What was pinned at the bubble's creation, or why it cannot be read. */
export async function pinnedKnowledge(world: Reading, state: State): Promise<ReadBack> {
  const { knowledge: pinned, baseCommit, bubbleId } = state;
  if (!pinned) return { ok: true, knowledge: noKnowledge(baseCommit) };
  const bytes = await world.records.get(bubbleId, pinned.artifact);
  return openKnowledge(bytes ? new TextDecoder().decode(bytes) : undefined, pinned, world.hash.sha256);
}

/** Of a renamed file both names count. */
export const pathsOf = (files: readonly ChangedFile[]): string[] =>
  files.flatMap(({ path, from }) => (from ? [from, path] : [path]));

/** What the tree at hand is about: its changed files, or what its paper names. */
export function subjectOf({ tree, papers }: State): { readonly files: string[]; readonly named?: string[] } {
  const kind = tree?.paper?.kind;
  if (kind === undefined) return { files: pathsOf(tree?.files ?? []) };
  const paper = papers?.[kind];
  return { files: [], named: paper ? namedFiles(paper.value) : [] };
}

/** What a critic of these files must answer for. Knowledge that cannot be read, tried twice, stops the review. */
export async function contextOf(
  world: Reading,
  state: State,
  files: readonly ChangedFile[],
): Promise<TreeContext> {
  const first = await pinnedKnowledge(world, state);
  const read = first.ok ? first : await pinnedKnowledge(world, state);
  if (!read.ok) return { sops: [], digest: "", problem: clip(read.refusal.message, 1000) };
  const { context } = assemble(read.knowledge, {
    files: pathsOf(files),
    side: "critic",
    blind: state.config.review.blind,
    task: await taskText(world, state),
    priorDecisions: [],
    budget: state.config.review.context_chars,
    hash: world.hash.sha256,
  });
  return context;
}

/** The whole text of the task. */
export async function taskText(world: Pick<RecordWorld, "records">, state: State): Promise<string> {
  const bytes = await world.records.get(state.bubbleId, state.task.artifact);
  return bytes ? new TextDecoder().decode(bytes) : state.task.excerpt;
}
