// A clean checkout made ready for gates: exactly one tree, what `.worktreeinclude` names from the person's checkout, and
// what the setup command makes. Nothing of the worktree gets here.
import { stripControlCharacters } from "../../../core/gates/output/excerpt.ts";
import type { CleanCheckout } from "../../../core/model/record/checkout.ts";
import type { State } from "../../../core/model/state.ts";
import { clip, keepLastBytes, takeFitting } from "../../../core/model/value/sizes.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";
import { createLiveBoard, type LiveBoard } from "../live-board.ts";
import { type FailedSetup, runSetup } from "../setup.ts";

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

/** Makes the checkout, prepares it, does the work in it and removes it, whether or not the work succeeds. */
export async function runInCleanCheckout<R>(
  world: World,
  state: State,
  job: CheckoutJob,
  work: (ready: Ready) => Promise<R>,
): Promise<R> {
  const root = world.paths.clean(state.bubbleId, job.gate);
  try {
    await world.workspace.clean.make(getWorkspacePlace(world, state), job.tree, root);
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
  const { tree, root, signal, gate, board = createLiveBoard(world, state.bubbleId) } = job;
  const { included, notes } = await copyIncluded(world, state, root, board);
  const known = { ...fitIncluded(included), ...(notes.length > 0 ? { notes } : {}) };
  const { setup } = state.config;
  if (!setup) return known;
  const name = gate === undefined ? "setup-clean" : `setup-${gate}`;
  const failed = await runSetup(world, state, { cwd: root, name, signal, board });
  world.crashPoint("clean.setup");
  if (failed) return { ...known, setup, problem: await describeSetupFailure(world, failed) };
  const changed = await world.workspace.clean.changed(getWorkspacePlace(world, state), root, tree);
  if (changed.length > 0) await world.workspace.clean.putBack(getWorkspacePlace(world, state), root, tree);
  const undone = changed.length > 0 ? [`setup changed ${changed.slice(0, 5).join(", ")}; put back`] : [];
  const all = [...notes, ...undone].map((text) => text.slice(0, 500));
  return { ...known, setup, ...(all.length > 0 ? { notes: all } : {}) };
}

/** A large copy takes its time: a person who waits sees how far it is. */
async function copyIncluded(world: World, state: State, root: string, board: LiveBoard) {
  const name = "clean checkout";
  const since = world.clock.now();
  const progress = (says: string) => void board.shows({ name, since, output: "", says });
  try {
    return await world.workspace.clean.include(getWorkspacePlace(world, state), root, progress);
  } finally {
    await board.ended(name);
  }
}

/** The sentence, and the end of what it printed: the checkout is gone when somebody reads it. */
export async function describeSetupFailure(world: World, { message, output }: FailedSetup): Promise<string> {
  const text = world.redaction.redact(await world.scratch.text(output));
  return `${clip(message, 500)}\n${keepLastBytes(text.trim(), 1_400)}`;
}

/** The end of what it printed, for the person who waits at a terminal. */
export async function readLastLines(world: World, { output }: FailedSetup): Promise<string> {
  const text = stripControlCharacters(world.redaction.redact(await world.scratch.text(output)));
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? "it printed nothing" : keepLastBytes(lines.slice(-6).join("\n"), 1_400);
}

/** As many as a line has room for, and how many there were. */
function fitIncluded(
  included: CleanCheckout["included"],
): Pick<CleanCheckout, "included" | "included_total"> {
  const some = takeFitting(included, includedRoom);
  return some.length === included.length ? { included } : { included: some, included_total: included.length };
}
