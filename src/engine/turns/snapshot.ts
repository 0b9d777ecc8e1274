// After a claim: what does the tree look like now? Producers' trees are pinned and diffed; a critic must have left
// the tree alone, and what it changed is undone and kept as a patch.
import { changedDuring } from "../../core/bubble/decide/handoff.ts";
import { diffName, patchName } from "../../core/model/artifact-names.ts";
import type { ReviewFacts } from "../../core/model/command.ts";
import type { State, Turn } from "../../core/model/state.ts";
import { paperPath, paperText } from "../../core/paper/text.ts";
import { codeTree } from "../../core/state/code.ts";
import { isProducer, stepNamed } from "../../core/state/place.ts";
import { reviewFacts } from "../facts/facts.ts";
import { contextOf } from "../facts/knowledge.ts";
import { lookAtMade, rangesOf } from "../facts/made-tree.ts";
import { handle } from "../handle/handle.ts";
import { writeReviewViews } from "../views/review-views.ts";
import { isGitKnown, tellMoved, tellOwnCommits } from "../watch/git-watch.ts";
import { standingPlace } from "../watch/standing.ts";
import { type World, workMarker } from "../world/world.ts";
import { lockedIn } from "./lock.ts";
import { paneUsage } from "./pane-session.ts";

const graceMs = 1500;

export async function snapshot(world: World, state: State, turn: Turn, driver: string): Promise<void> {
  await quiet(world, state, turn);
  await tellMoved(world, state, driver, `${turn.agent} had turn ${turn.id}`);
  if (!(await isGitKnown(world, state, driver))) return;
  await paneUsage(world, state, turn, driver);
  if (turn.claim?.pass?.paper) await paperSnapshot(world, state, turn, driver);
  else if (!isProducer(state, turn.role)) await criticSnapshot(world, state, turn, driver);
  else await producerSnapshot(world, state, turn, driver);
}

/** The turn is over: its process may end by itself for a moment, then it is ended, so that nothing changes behind the snapshot. */
async function quiet(world: World, state: State, turn: Turn): Promise<void> {
  const work = workMarker(world, state.bubbleId, `${turn.id}.${turn.attempt}`);
  const attempt = `${turn.id}.${turn.attempt}`;
  for (let waited = 0; waited < graceMs; waited += 25) {
    if (!(await world.seats.find(work))) return;
    // Its own hook says that it has come to rest: there is nothing to wait for.
    if ((await world.runtime.noted(state.bubbleId, "rests")) === attempt) break;
    await world.clock.sleep(25);
  }
  await world.seats.end(work);
}

async function producerSnapshot(world: World, state: State, turn: Turn, driver: string): Promise<void> {
  const place = await standingPlace(world, state, driver);
  const snap = await world.workspace.snapshot(
    place,
    `round-${String(state.round).padStart(3, "0")}-${turn.id}`,
  );
  world.crashPoint("snapshot.pinned");
  await tellOwnCommits(world, state, driver, snap);
  const before = codeTree(state) ?? turn.tree;
  const [found, locked] = await Promise.all([
    lookAtMade(world, state, place, snap, before),
    lockedIn(world, state, snap.tree),
  ]);
  world.crashPoint("snapshot.diff");
  await handle(world, state.bubbleId, {
    type: "handoff",
    actor: { kind: "driver", id: driver },
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
async function paperSnapshot(world: World, state: State, turn: Turn, driver: string): Promise<void> {
  const place = await standingPlace(world, state, driver);
  const step = stepNamed(state, turn.step);
  const kind = step?.kind === "turn" ? (step.paper ?? "") : "";
  const code = codeTree(state) ?? turn.tree ?? "";
  const found = await world.workspace.treeId(place);
  const changed = found === code ? [] : await world.workspace.changedBetween(place, code, found);
  const undone = found === code ? undefined : await putBack(world, state, code);
  const isClean = changed.every((file) => file.status === "added");
  const paths = changed.map(({ path }) => path);
  const made = await world.workspace.addFile(place, {
    tree: code,
    path: paperPath(kind),
    text: paperText(turn.claim?.pass?.paper ?? {}),
    pin: `paper-${String(state.round).padStart(3, "0")}-${turn.id}`,
  });
  world.crashPoint("snapshot.paper");
  const [files, diff, change] = await Promise.all([
    world.workspace.changedBetween(place, code, made.tree),
    world.workspace.diff(place, code, made.tree),
    state.tree?.paper?.kind === kind ? world.workspace.diff(place, state.tree.id, made.tree) : "",
  ]);
  const { name } = await world.records.put(state.bubbleId, diffName(state.round), diff);
  await handle(world, state.bubbleId, {
    type: "handoff",
    actor: { kind: "driver", id: driver },
    turn: turn.id,
    attempt: turn.attempt,
    ...made,
    files,
    problems: isClean
      ? []
      : [changedDuring(turn, paths, "its paper does not count and the files were put back")],
    touched: rangesOf(change),
    diff: name,
    context: await contextOf(world, state, []),
    ...(undone ? { put_back: undone, put_back_files: paths } : {}),
    ...(isClean ? { paper: { kind, code } } : {}),
  });
}

async function criticSnapshot(world: World, state: State, turn: Turn, driver: string): Promise<void> {
  const place = await standingPlace(world, state, driver);
  const expected = codeTree(state) ?? turn.tree ?? "";
  const found = await world.workspace.treeId(place);
  const files = found === expected ? [] : await world.workspace.changedBetween(place, expected, found);
  const [undone, facts] = await Promise.all([
    found === expected ? undefined : putBack(world, state, expected),
    claimedFacts(world, state, turn),
  ]);
  world.crashPoint("snapshot.critic");
  await handle(world, state.bubbleId, {
    type: "handoff",
    actor: { kind: "driver", id: driver },
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
async function claimedFacts(world: World, state: State, turn: Turn): Promise<ReviewFacts | undefined> {
  const review = turn.claim?.pass ?? turn.claim?.convergence;
  if (!review) return undefined;
  const { answers = [], checked = [], opinion } = review;
  const findings = "findings" in review ? (review.findings ?? []) : [];
  return reviewFacts(world, state, { findings, answers, checked, ...(opinion ? { opinion } : {}) });
}

/** Restores a tree; returns the name of the patch that keeps what was undone. */
export async function putBack(world: World, state: State, tree: string): Promise<string> {
  const { patch } = await world.workspace.restore(await standingPlace(world, state), tree);
  const { name } = await world.records.put(state.bubbleId, patchName(state.round, "put-back"), patch);
  return name;
}
