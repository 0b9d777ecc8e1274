// Continuing from the good part of a damaged record: a new bubble with a chain of its own, whose first line names the old
// one. Task, settings, open findings and the newest work go along; what was judged does not, and nothing is deleted.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { getCodeCommit, getCodeTree } from "../../core/state/code-tree.ts";
import { listCarriedFindings } from "../../core/state/severity.ts";
import { type FoldedLog, load } from "../../engine/front/command.ts";
import { readTaskText } from "../../engine/front/facts.ts";
import type { World } from "../../engine/front/world.ts";
import { askGit } from "../host/git-questions.ts";
import { readWhole } from "../record/whole.ts";
import { copyGrounds, copyWorkflow } from "./children.ts";
import { makeBubble } from "./make.ts";
import { checkBranch, findFreeName } from "./names.ts";
import type { DerivedBubble } from "./wanted.ts";

type Origin = NonNullable<DerivedBubble["salvaged"]>;

export interface SalvagedBubble {
  readonly bubble: string;
  readonly origin: Origin;
  readonly state: State;
  /** What the old bubble had and the new one must do again. */
  readonly left: readonly string[];
}

/** Makes the new bubble; returns why not, when there is nothing to continue from. */
export async function salvageBubble(
  world: World,
  damaged: string,
  newId: string | undefined,
): Promise<SalvagedBubble | Refusal> {
  const folded = await readWhole(world, world.repo, damaged);
  const refusal = checkSalvageable(damaged, folded);
  if (refusal || !folded.state) return refusal ?? refuseNothingGood(damaged);
  const { state } = folded;
  const id = newId ?? (await findFreeName(world, damaged));
  const origin = await readOrigin(world, state, folded);
  const config = { ...state.config, id, bubble_branch: `bubble/${id}` };
  await checkBranch(config);
  const { refusal: notMade } = await makeBubble(world, {
    ...{ config, baseCommit: state.baseCommit, salvaged: origin, work: origin.work?.commit },
    ...(await copyGrounds(world, state)),
    workflow: await copyWorkflow(world, state),
    task: {
      title: state.task.title,
      text: await readTaskText(world, state),
      criteria: state.task.criteria,
    },
  });
  if (notMade) return notMade;
  const after = (await load(world, id)).state;
  return after
    ? { bubble: id, origin, state: after, left: listLeftBehind(state) }
    : refuseNothingGood(damaged);
}

function checkSalvageable(bubble: string, { state, trouble }: FoldedLog): Refusal | undefined {
  if (trouble?.kind !== "damaged") {
    const why = trouble ? "was written by a newer version, which is no damage" : "is not damaged";
    return refuse("salvage.not-damaged", `the record of ${bubble} ${why}`, `pairflow verify --id ${bubble}`);
  }
  if (state?.parent)
    return refuse(
      "salvage.child",
      `${bubble} is a part of ${state.parent.bubble}, which waits for its report; a part cannot continue alone`,
      `pairflow bubble stop --id ${state.parent.bubble}`,
    );
  if (state?.children)
    return refuse(
      "salvage.children",
      `${bubble} has parts of its own, whose records do not know another whole; it cannot continue under another name`,
      `pairflow bubble stop --id ${bubble}`,
    );
}

const refuseNothingGood = (bubble: string): Refusal =>
  refuse(
    "salvage.nothing-good",
    `the record of ${bubble} has no good part: not even its first line can be relied on`,
    `pairflow bubble create --id ${bubble}-2 --task-file .pairflow/bubbles/${bubble}/artifacts/task.md`,
  );

async function readOrigin(world: World, state: State, { head }: FoldedLog): Promise<Origin> {
  const file = join(world.repo, ".pairflow", "bubbles", state.bubbleId, "transcript.ndjson");
  const work = await findNewestWork(world, state);
  return {
    ...{ bubble: state.bubbleId, seq: head.seq, hash: world.log.hashOf(head) },
    sha256: world.hash.sha256(readFileSync(file)),
    ...(work ? { work } : {}),
    findings: listCarriedFindings(state),
  };
}

/** The newest pinned tree that the record names and git still has. */
export async function findNewestWork(world: Pick<World, "repo">, state: State): Promise<Origin["work"]> {
  const commit = getCodeCommit(state);
  const tree = getCodeTree(state);
  if (!tree || !state.tree || commit === state.baseCommit) return undefined;
  const found = await askGit(world.repo, "rev-parse", "--verify", "--quiet", `${commit}^{tree}`);
  return found === tree ? { commit, tree, round: state.tree.round } : undefined;
}

/** Said, so that nobody believes it went along. */
function listLeftBehind(state: State): string[] {
  const papers = Object.keys(state.papers ?? {});
  return [
    ...(state.reviews.length > 0 || state.gates ? ["gate results and reviews"] : []),
    ...(state.approval ? ["the approval that was asked for"] : []),
    ...(papers.length > 0 ? [`papers: ${papers.join(", ")}`] : []),
    ...(state.questions.length > 0 ? ["open questions"] : []),
  ];
}
