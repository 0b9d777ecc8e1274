// Running the gates on exactly one tree. What they leave behind is put back; if they changed what they judge, the
// evidence is void, and the next run looks at the tree after each gate to see which of them writes.

import { excerptOutput } from "../../core/gates/output/excerpt.ts";
import { batchGates } from "../../core/gates/trigger.ts";
import { mustWatchEachGate, selectGatesToRun } from "../../core/judge/gate-runs/repeated.ts";
import type { GateResult } from "../../core/model/gate.ts";
import { namePatch, nameTestOutput } from "../../core/model/record/artifact-names.ts";
import type { State } from "../../core/model/state.ts";
import { type Job, report } from "../handle/job.ts";
import { writeGateReport } from "../views/reviews.ts";
import { isGitKnown, noteBranches, tellMoved } from "../watch/git.ts";
import { ensureWorktree } from "../watch/worktree.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";
import { buildGateFileName, type RanGate, runGate } from "./gate.ts";
import { type GateList, listGatesToRun } from "./list.ts";
import { createLiveBoard } from "./live-board.ts";

export async function runGates(job: Job, tree: string): Promise<void> {
  const { world, state, driver, signal } = job;
  const place = await ensureWorktree(world, state, driver);
  const [before, all] = await Promise.all([
    world.workspace.treeId(place),
    listGatesToRun(world, state, tree),
  ]);
  if (before !== tree) {
    const files = (await world.workspace.changedBetween(place, tree, before)).map((file) => file.path);
    await report(job, { type: "tree-changed", expected: tree, found: before, files });
    return;
  }
  if (!(await isGitKnown(world, state, driver))) return;
  const only = selectGatesToRun(state);
  const list = { ...all, gates: all.gates.filter(({ name }) => only?.has(name) ?? true) };
  await noteBranches(world, state);
  const ran = await runAll(world, state, { list, tree }, signal);
  if (signal.aborted) return;
  const left = await restoreTree(world, state, tree, "gates");
  await tellMoved(world, state, driver, `the gates of round ${state.round} ran`);
  const logs = ran.map(({ log }) => log).join("\n");
  const { name } = await world.records.put(state.bubbleId, nameTestOutput(state.round), logs);
  world.crashPoint("gates.output");
  const { state: after, refusal } = await report(job, {
    type: "gates-ran",
    tree,
    results: ran.map(({ result }) => result),
    changed: left.changed,
    put_back: [...new Set([...ran.flatMap(({ added = [] }) => added), ...left.added])],
    output: name,
    ...(list.commitMessage === undefined ? {} : { commit_message: list.commitMessage }),
  });
  // The report is about the round the gates ran in, although the outcome may have begun the next one.
  if (after?.gates && !refusal)
    await writeGateReport(world, { ...state, gates: after.gates, lastAt: after.lastAt }, driver);
}

/** How many gates run side by side at most: each of them may itself use every processor. */
const sideBySide = 4;

/** Every gate in the order of the list, parallel neighbours side by side; less than all when the signal comes. */
export async function runAll(
  world: World,
  state: State,
  { list, tree, root }: { list: Pick<GateList, "gates">; tree: string; root?: string },
  signal: AbortSignal,
): Promise<RanGate[]> {
  const place = getWorkspacePlace(world, state);
  const looks = list.gates.some((gate) => gate.trigger);
  const changed = looks ? await world.workspace.changedBetween(place, place.baseCommit, tree) : [];
  const board = createLiveBoard(world, state.bubbleId);
  const at = root === undefined ? {} : { root };
  const ran: RanGate[] = [];
  const isWatched = mustWatchEachGate(state);
  const look = (one: RanGate) =>
    root === undefined ? addWrites(world, state, tree, one) : addWritesIn(world, state, { tree, root }, one);
  try {
    for (const batch of isWatched ? list.gates.map((gate) => [gate]) : batchGates(list.gates)) {
      ran.push(
        ...(await runBounded(batch, signal, async (gate) => {
          const one = await runGate(world, state, { gate, tree, changed, board, ...at }, signal);
          if (!signal.aborted) world.crashPoint(`gates.${gate.name}`);
          return isWatched && !signal.aborted ? look(one) : one;
        })),
      );
      if (signal.aborted) break;
    }
  } finally {
    await board.clear();
  }
  return ran;
}

/** The results in the order of the items, a few at work at a time. None is left running when one fails. */
async function runBounded<I, R>(
  items: readonly I[],
  signal: AbortSignal,
  work: (item: I) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  let next = 0;
  const worker = async () => {
    while (next < items.length && !signal.aborted) {
      const at = next++;
      results.set(at, await work(items[at] as I));
    }
  };
  const workers = items.slice(0, sideBySide).map(worker);
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}

interface Left {
  readonly changed: string[];
  readonly added: string[];
  /** What was undone, and the artifact that keeps it. */
  readonly patch?: { readonly name: string; readonly text: string };
}

/** The gate's result with what it has written into the tree: it judged something else than what was handed over. */
async function addWrites(world: World, state: State, tree: string, one: RanGate): Promise<RanGate> {
  const { changed, added, patch } = await restoreTree(
    world,
    state,
    tree,
    `gates-${buildGateFileName(one.result)}`,
  );
  if (changed.length === 0 || !patch) return { ...one, added };
  const text = `What it wrote:\n${world.redaction.redact(patch.text)}`;
  const result = wroteInto(
    one.result,
    changed,
    `they were put back, and what it wrote is kept in ${patch.name}`,
  );
  const excerpt = excerptOutput([result.excerpt, text].filter(Boolean).join("\n\n"));
  return { ...one, added, result: { ...result, excerpt, patch: patch.name } };
}

/** The same in a clean checkout, which is thrown away: nothing of it is kept. */
async function addWritesIn(
  world: World,
  state: State,
  { tree, root }: { readonly tree: string; readonly root: string },
  one: RanGate,
): Promise<RanGate> {
  const place = getWorkspacePlace(world, state);
  const changed = await world.workspace.clean.changed(place, root, tree);
  if (changed.length === 0) return one;
  await world.workspace.clean.putBack(place, root, tree);
  return { ...one, result: wroteInto(one.result, changed, "they were put back") };
}

function wroteInto(result: GateResult, changed: string[], then: string): GateResult {
  const said = `it changed files that it judges (${changed.slice(0, 5).join(", ")}); ${then}`;
  return {
    ...result,
    status: result.status === "error" ? "error" : "failed",
    hint: [result.hint, said].filter(Boolean).join("; "),
    wrote: changed,
  };
}

/** Puts the tree back and keeps what is undone as a patch. */
export async function restoreTree(world: World, state: State, tree: string, what: string): Promise<Left> {
  const place = getWorkspacePlace(world, state);
  const after = await world.workspace.treeId(place);
  if (after === tree) return { changed: [], added: [] };
  const files = await world.workspace.changedBetween(place, tree, after);
  const { patch: text } = await world.workspace.restore(place, tree);
  const { name } = await world.records.put(state.bubbleId, namePatch(state.round, what), text);
  const added = files.filter((file) => file.status === "added").map((file) => file.path);
  const changed = files.filter((file) => file.status !== "added").map((file) => file.path);
  return { changed, added, patch: { name, text } };
}
