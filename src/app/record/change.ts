// What a bubble changed, from the trees of its record: the files, and the patch of each.
import type { Envelope } from "../../core/model/record/envelope.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { buildDiffFile, type DiffFile } from "../../core/views/page/review/diff.ts";
import { buildRoundsView } from "../../core/views/page/rounds.ts";
import { type ComparedTrees, findRoundChange, getWholeChange } from "../../core/views/review/change.ts";
import { buildReviewTrail } from "../../core/views/review/trail.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { readEnvelopes, readGood } from "./bubble.ts";
import { buildTreeDiffs } from "./review/diffs.ts";

export interface BubbleChange extends ComparedTrees {
  readonly bubble: string;
  readonly files: readonly DiffFile[];
  /** The patch of one of the files; each byte is one character. Undefined when it is too long. */
  patch(file: DiffFile): Promise<string | undefined>;
}

/** All of it, or what one round added. */
export async function readBubbleChange(
  world: RecordWorld,
  bubble: string,
  round?: number,
): Promise<BubbleChange> {
  const { state } = await readGood(world, bubble);
  const trees = round === undefined ? getWholeChange(state) : await readRoundChange(world, state, round);
  if (!trees) throw refuseUnchanged(state, round);
  const diffs = buildTreeDiffs();
  const changes = await diffs.changes(state, trees.from, trees.to);
  return {
    bubble,
    ...trees,
    files: changes.map(buildDiffFile),
    async patch({ path, from }) {
      const patch = await diffs.patch(state, trees, { path, ...(from === null ? {} : { from }) }, 3);
      return patch.kind === "text" ? patch.latin1 : undefined;
    },
  };
}

async function readRoundChange(
  world: RecordWorld,
  state: State,
  round: number,
): Promise<ComparedTrees | undefined> {
  const envelopes: Envelope[] = [];
  for await (const envelope of readEnvelopes(world, state.bubbleId)) envelopes.push(envelope);
  return findRoundChange(state, buildRoundsView(envelopes, buildReviewTrail(envelopes)), round);
}

function refuseUnchanged({ bubbleId: bubble, round: now }: State, round: number | undefined) {
  const where = round === undefined ? `in ${bubble} yet` : `in round ${round} of ${bubble}`;
  return refuse(
    "diff.nothing",
    `nothing was handed over ${where}; it is in round ${now}`,
    `pairflow bubble status --id ${bubble}`,
  );
}
