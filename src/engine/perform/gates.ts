// Running the gates on exactly one tree. What they leave behind is put back; if they changed what they judge, the
// evidence is void.

import { inBatches } from "../../core/gates/trigger.ts";
import { patchName, testsName } from "../../core/model/artifact-names.ts";
import type { State } from "../../core/model/state.ts";
import { handle } from "../handle.ts";
import { writeGateReport } from "../review-views.ts";
import { standingPlace } from "../standing.ts";
import { placeOf, type World } from "../world.ts";
import { type GateList, gatesOf } from "./gate-list.ts";
import { liveBoard } from "./gate-live.ts";
import { type RanGate, runGate } from "./gate-run.ts";

export async function runGates(
  world: World,
  state: State,
  tree: string,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const place = await standingPlace(world, state);
  const [before, list] = await Promise.all([world.workspace.treeId(place), gatesOf(world, state, tree)]);
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
  const ran = await runAll(world, state, { list, tree }, signal);
  if (signal.aborted) return;
  const left = await cleanUp(world, state, tree);
  const logs = ran.map(({ log }) => log).join("\n");
  const { name } = await world.records.put(state.bubbleId, testsName(state.round), logs);
  world.crashPoint("gates.output");
  const { state: after, refusal } = await handle(world, state.bubbleId, {
    type: "gates-ran",
    actor,
    tree,
    results: ran.map(({ result }) => result),
    changed: left.changed,
    put_back: left.added,
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
async function runAll(
  world: World,
  state: State,
  { list, tree }: { list: GateList; tree: string },
  signal: AbortSignal,
): Promise<RanGate[]> {
  const place = placeOf(world, state);
  const looks = list.gates.some((gate) => gate.trigger);
  const changed = looks ? await world.workspace.changedBetween(place, place.baseCommit, tree) : [];
  const board = liveBoard(world, state.bubbleId);
  const ran: RanGate[] = [];
  try {
    for (const batch of inBatches(list.gates)) {
      ran.push(
        ...(await bounded(batch, signal, async (gate) => {
          const one = await runGate(world, state, { gate, tree, changed, board }, signal);
          if (!signal.aborted) world.crashPoint(`gates.${gate.name}`);
          return one;
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

async function cleanUp(
  world: World,
  state: State,
  tree: string,
): Promise<{ changed: string[]; added: string[] }> {
  const place = placeOf(world, state);
  const after = await world.workspace.treeId(place);
  if (after === tree) return { changed: [], added: [] };
  const files = await world.workspace.changedBetween(place, tree, after);
  const { patch } = await world.workspace.restore(place, tree);
  await world.records.put(state.bubbleId, patchName(state.round, "gates"), patch);
  const added = files.filter((file) => file.status === "added").map((file) => file.path);
  const changed = files.filter((file) => file.status !== "added").map((file) => file.path);
  return { changed, added };
}
