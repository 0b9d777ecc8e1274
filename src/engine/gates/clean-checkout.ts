// A clean checkout made ready for gates: exactly one tree, what `.worktreeinclude` names from the person's checkout, and
// what the setup command makes. Nothing of the worktree gets here.
import { plainOutput } from "../../core/gates/excerpt.ts";
import type { CleanCheckout } from "../../core/model/checkout.ts";
import { clip, fitting, tail } from "../../core/model/sizes.ts";
import type { State } from "../../core/model/state.ts";
import { placeOf, type World } from "../world/world.ts";
import { type LiveBoard, liveBoard } from "./gate-live.ts";
import { type FailedSetup, runSetup } from "./setup.ts";

export interface Ready {
  readonly root: string;
  readonly clean: CleanCheckout;
}

/** How much of a line the names of included files may take, in bytes. */
const includedRoom = 6_000;

export interface CheckoutJob {
  readonly tree: string;
  readonly signal: AbortSignal;
  /** The gate that has it for itself; absent: the one checkout that all gates of a run share. */
  readonly gate?: string;
  /** Where its progress is shown; absent: on a board of its own. */
  readonly board?: LiveBoard;
}

/** Makes the checkout, prepares it, does the work in it and removes it, whatever comes of the work. */
export async function inCleanCheckout<R>(
  world: World,
  state: State,
  job: CheckoutJob,
  work: (ready: Ready) => Promise<R>,
): Promise<R> {
  const root = world.paths.clean(state.bubbleId, job.gate);
  try {
    await world.workspace.clean.make(placeOf(world, state), job.tree, root);
    world.crashPoint("clean.checkout");
    return await work({ root, clean: await makeReady(world, state, { ...job, root }) });
  } finally {
    await world.workspace.clean.discard(root);
  }
}

async function makeReady(
  world: World,
  state: State,
  job: CheckoutJob & { readonly root: string },
): Promise<CleanCheckout> {
  const { tree, root, signal, gate, board = liveBoard(world, state.bubbleId) } = job;
  const { included, notes } = await copyIncluded(world, state, root, board);
  const known = { ...shown(included), ...(notes.length > 0 ? { notes } : {}) };
  const { setup } = state.config;
  if (!setup) return known;
  const name = gate === undefined ? "setup-clean" : `setup-${gate}`;
  const failed = await runSetup(world, state, { cwd: root, name, signal, board });
  world.crashPoint("clean.setup");
  if (failed) return { ...known, setup, problem: await failureText(world, failed) };
  const changed = await world.workspace.clean.changed(placeOf(world, state), root, tree);
  if (changed.length > 0) await world.workspace.clean.putBack(placeOf(world, state), root, tree);
  const undone = changed.length > 0 ? [`setup changed ${changed.slice(0, 5).join(", ")}; put back`] : [];
  const all = [...notes, ...undone].map((text) => text.slice(0, 500));
  return { ...known, setup, ...(all.length > 0 ? { notes: all } : {}) };
}

/** A large copy takes its time: whoever waits sees how far it is. */
async function copyIncluded(world: World, state: State, root: string, board: LiveBoard) {
  const name = "clean checkout";
  const since = world.clock.now();
  const progress = (says: string) => void board.shows({ name, since, output: "", says });
  try {
    return await world.workspace.clean.include(placeOf(world, state), root, progress);
  } finally {
    await board.ended(name);
  }
}

/** The sentence, and the end of what it printed: the checkout is gone when somebody reads it. */
export async function failureText(world: World, { message, output }: FailedSetup): Promise<string> {
  const text = world.redaction.redact(await world.scratch.text(output));
  return `${clip(message, 500)}\n${tail(text.trim(), 1_400)}`;
}

/** The end of what it printed, for whoever waits at a terminal. */
export async function lastLines(world: World, { output }: FailedSetup): Promise<string> {
  const text = plainOutput(world.redaction.redact(await world.scratch.text(output)));
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "it printed nothing" : tail(lines.slice(-6).join("\n"), 1_400);
}

/** As many as a line has room for, and how many there were. */
function shown(included: CleanCheckout["included"]): Pick<CleanCheckout, "included" | "included_total"> {
  const some = fitting(included, includedRoom);
  return some.length === included.length ? { included } : { included: some, included_total: included.length };
}
