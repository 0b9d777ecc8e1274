// After a claim: what does the tree look like now? Producers' trees are pinned and diffed; a critic must have left
// the tree alone, and what it changed is undone and kept as a patch.
import { describeChangesDuringTurn } from "../../core/bubble/decide/driver/handoff.ts";
import type { ReviewFacts } from "../../core/model/command.ts";
import { nameDiff, namePatch } from "../../core/model/record/artifact-names.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { getPaperPath, serializePaper } from "../../core/paper/text.ts";
import { getCodeTree } from "../../core/state/code-tree.ts";
import { findStep, isProducer } from "../../core/state/workflow-position.ts";
import { assembleTreeContext } from "../facts/knowledge.ts";
import { buildReviewFacts } from "../facts/review.ts";
import { findTreeBefore, listTouchedRanges, lookAtMade } from "../facts/tree.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { sendPin } from "../handle/travel.ts";
import { writeReviewViews } from "../views/reviews.ts";
import { isGitKnown, tellMoved, tellOwnCommits } from "../watch/git.ts";
import { ensureWorktree } from "../watch/worktree.ts";
import { buildTurnMarker, type World } from "../world/world.ts";
import { hashLockedArtifacts } from "./artifact-lock.ts";
import { recordPaneUsage } from "./pane-session.ts";

const graceMs = 1500;

export async function takeSnapshot(job: ShortJob, turn: Turn): Promise<void> {
  const { world, state, driver } = job;
  await waitForQuiet(world, state, turn);
  await tellMoved(world, state, driver, `${turn.agent} had turn ${turn.id}`);
  if (!(await isGitKnown(world, state, driver))) return;
  await recordPaneUsage(job, turn);
  if (turn.claim?.pass?.paper) await snapshotPaper(job, turn);
  else if (!isProducer(state, turn.role)) await snapshotCritic(job, turn);
  else await snapshotProducer(job, turn);
}

/** The turn is over: its process may end by itself for a moment, then it is ended, so that nothing changes behind the snapshot. */
async function waitForQuiet(world: World, state: State, turn: Turn): Promise<void> {
  const work = buildTurnMarker(world, state.bubbleId, turn);
  const attempt = `${turn.id}.${turn.attempt}`;
  for (let waited = 0; waited < graceMs; waited += 25) {
    if (!(await world.seats.find(work))) return;
    // Its own hook says that it is idle: there is nothing to wait for.
    if ((await world.runtime.noted(state.bubbleId, "rests")) === attempt) break;
    await world.clock.sleep(25);
  }
  await world.seats.end(work);
}

async function snapshotProducer(job: ShortJob, turn: Turn): Promise<void> {
  const { world, state, driver } = job;
  const place = await ensureWorktree(world, state, driver);
  const pin = `round-${String(state.round).padStart(3, "0")}-${turn.id}`;
  const before = findTreeBefore(state, getCodeTree(state) ?? turn.tree);
  const snap = await world.workspace.snapshot(place, pin, before);
  world.crashPoint("snapshot.pinned");
  await sendPin(world, state, snap);
  world.crashPoint("snapshot.sent");
  await tellOwnCommits(world, state, driver, snap);
  const [found, locked] = await Promise.all([
    lookAtMade(world, state, snap),
    hashLockedArtifacts(world, state, snap.tree),
  ]);
  world.crashPoint("snapshot.diff");
  await report(job, {
    type: "handoff",
    turn: turn.id,
    attempt: turn.attempt,
    tree: snap.tree,
    commit: snap.commit,
    ref: snap.ref,
    files: snap.files,
    problems: snap.problems,
    ...found,
    ...locked,
  });
}

/** The author of a paper has left the files alone; the paper itself becomes part of a tree that critics can quote. */
async function snapshotPaper(job: ShortJob, turn: Turn): Promise<void> {
  const { world, state, driver } = job;
  const place = await ensureWorktree(world, state, driver);
  const step = findStep(state, turn.step);
  const kind = step?.kind === "turn" ? (step.paper ?? "") : "";
  const code = getCodeTree(state) ?? turn.tree ?? "";
  const found = await world.workspace.treeId(place);
  const changed = found === code ? [] : await world.workspace.changedBetween(place, code, found);
  const undone = found === code ? undefined : await putBack(world, state, code);
  const isClean = changed.every((file) => file.status === "added");
  const paths = changed.map(({ path }) => path);
  const made = await world.workspace.addFile(place, {
    tree: code,
    path: getPaperPath(kind),
    text: serializePaper(turn.claim?.pass?.paper ?? {}),
    pin: `paper-${String(state.round).padStart(3, "0")}-${turn.id}`,
  });
  world.crashPoint("snapshot.paper");
  await sendPin(world, state, made);
  const [files, diff, change] = await Promise.all([
    world.workspace.changedBetween(place, code, made.tree),
    world.workspace.diff(place, code, made.tree),
    state.tree?.paper?.kind === kind ? world.workspace.diff(place, state.tree.id, made.tree) : "",
  ]);
  const { name } = await world.records.put(state.bubbleId, nameDiff(state.round), diff);
  await report(job, {
    type: "handoff",
    turn: turn.id,
    attempt: turn.attempt,
    ...made,
    files,
    problems: isClean
      ? []
      : [describeChangesDuringTurn(turn, paths, "its paper does not count and the files were put back")],
    touched: listTouchedRanges(change),
    diff: name,
    context: await assembleTreeContext(world, state, []),
    ...(undone ? { put_back: undone, put_back_files: paths } : {}),
    ...(isClean ? { paper: { kind, code } } : {}),
  });
}

async function snapshotCritic(job: ShortJob, turn: Turn): Promise<void> {
  const { world, state, driver } = job;
  const place = await ensureWorktree(world, state, driver);
  const expected = getCodeTree(state) ?? turn.tree ?? "";
  const found = await world.workspace.treeId(place);
  const files = found === expected ? [] : await world.workspace.changedBetween(place, expected, found);
  const [undone, facts] = await Promise.all([
    found === expected ? undefined : putBack(world, state, expected),
    collectClaimedFacts(world, state, turn),
  ]);
  world.crashPoint("snapshot.critic");
  await report(job, {
    type: "handoff",
    turn: turn.id,
    attempt: turn.attempt,
    tree: found === expected ? (state.tree?.id ?? found) : found,
    commit: state.tree?.commit ?? "",
    ref: "",
    files,
    problems: [],
    touched: [],
    ...(undone ? { put_back: undone } : {}),
    ...(facts ? { facts } : {}),
  });
  await writeReviewViews(world, state.bubbleId, driver);
}

/** What the review cites, looked up once more: its verb was typed where the agent is at home. */
async function collectClaimedFacts(world: World, state: State, turn: Turn): Promise<ReviewFacts | undefined> {
  const review = turn.claim?.pass ?? turn.claim?.convergence;
  if (!review) return undefined;
  const { answers = [], checked = [], opinion } = review;
  const findings = "findings" in review ? (review.findings ?? []) : [];
  return buildReviewFacts(world, state, { findings, answers, checked, ...(opinion ? { opinion } : {}) });
}

/** Restores a tree; returns the name of the patch that keeps what was undone. */
export async function putBack(world: World, state: State, tree: string): Promise<string> {
  const { patch } = await world.workspace.restore(await ensureWorktree(world, state), tree);
  const { name } = await world.records.put(state.bubbleId, namePatch(state.round, "put-back"), patch);
  return name;
}
