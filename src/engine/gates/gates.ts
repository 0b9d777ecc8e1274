// Running the gates on exactly one tree. What they leave behind is put back; if they changed what they judge, the
// evidence is void, and the next run looks at the tree after each gate to see which of them writes.

import { excerptOf } from "../../core/gates/excerpt.ts";
import { inBatches } from "../../core/gates/trigger.ts";
import { gatesToRun, watchesEachGate } from "../../core/judge/gate-runs.ts";
import { patchName, testsName } from "../../core/model/artifact-names.ts";
import type { GateResult } from "../../core/model/gate.ts";
import type { State } from "../../core/model/state.ts";
import { handle } from "../handle/handle.ts";
import { writeGateReport } from "../views/review-views.ts";
import { isGitKnown, noteBranches, tellMoved } from "../watch/git-watch.ts";
import { standingPlace } from "../watch/standing.ts";
import { placeOf, type World } from "../world/world.ts";
import { type GateList, gatesOf } from "./gate-list.ts";
import { liveBoard } from "./gate-live.ts";
import { fileName, type RanGate, runGate } from "./gate-run.ts";

export async function runGates(
  world: World,
  state: State,
  tree: string,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const place = await standingPlace(world, state, driver);
  const [before, all] = await Promise.all([world.workspace.treeId(place), gatesOf(world, state, tree)]);
  if (before !== tree) {
    const files = (await world.workspace.changedBetween(place, tree, before)).map((file) => file.path);
    await handle(world, state.bubbleId, {
      type: "tree-changed",
      actor,
      expected: tree,
      found: before,
      files,
    });
    return;
  }
  if (!(await isGitKnown(world, state, driver))) return;
  const only = gatesToRun(state);
  const list = { ...all, gates: all.gates.filter(({ name }) => only?.has(name) ?? true) };
  await noteBranches(world, state);
  const ran = await runAll(world, state, { list, tree }, signal);
  if (signal.aborted) return;
  const left = await cleanUp(world, state, tree, "gates");
  await tellMoved(world, state, driver, `the gates of round ${state.round} ran`);
  const logs = ran.map(({ log }) => log).join("\n");
  const { name } = await world.records.put(state.bubbleId, testsName(state.round), logs);
  world.crashPoint("gates.output");
  const { state: after, refusal } = await handle(world, state.bubbleId, {
    type: "gates-ran",
    actor,
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
  const place = placeOf(world, state);
  const looks = list.gates.some((gate) => gate.trigger);
  const changed = looks ? await world.workspace.changedBetween(place, place.baseCommit, tree) : [];
  const board = liveBoard(world, state.bubbleId);
  const at = root === undefined ? {} : { root };
  const ran: RanGate[] = [];
  const isWatched = watchesEachGate(state);
  const look = (one: RanGate) =>
    root === undefined
      ? withWrites(world, state, tree, one)
      : withWritesIn(world, state, { tree, root }, one);
  try {
    for (const batch of isWatched ? list.gates.map((gate) => [gate]) : inBatches(list.gates)) {
      ran.push(
        ...(await bounded(batch, signal, async (gate) => {
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
async function bounded<I, R>(
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
async function withWrites(world: World, state: State, tree: string, one: RanGate): Promise<RanGate> {
  const { changed, added, patch } = await cleanUp(world, state, tree, `gates-${fileName(one.result)}`);
  if (changed.length === 0 || !patch) return { ...one, added };
  const text = `What it wrote:\n${world.redaction.redact(patch.text)}`;
  const result = wroteInto(
    one.result,
    changed,
    `they were put back, and what it wrote is kept in ${patch.name}`,
  );
  const excerpt = excerptOf([result.excerpt, text].filter(Boolean).join("\n\n"));
  return { ...one, added, result: { ...result, excerpt, patch: patch.name } };
}

/** The same in a clean checkout, which is thrown away: nothing of it is kept. */
async function withWritesIn(
  world: World,
  state: State,
  { tree, root }: { readonly tree: string; readonly root: string },
  one: RanGate,
): Promise<RanGate> {
  const place = placeOf(world, state);
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
export async function cleanUp(world: World, state: State, tree: string, what: string): Promise<Left> {
  const place = placeOf(world, state);
  const after = await world.workspace.treeId(place);
  if (after === tree) return { changed: [], added: [] };
  const files = await world.workspace.changedBetween(place, tree, after);
  const { patch: text } = await world.workspace.restore(place, tree);
  const { name } = await world.records.put(state.bubbleId, patchName(state.round, what), text);
  const added = files.filter((file) => file.status === "added").map((file) => file.path);
  const changed = files.filter((file) => file.status !== "added").map((file) => file.path);
  return { changed, added, patch: { name, text } };
}
