// What sends a bubble back to its judges: a step that a person takes back, or the newest commit of the base branch in the work.
import type { State } from "../../core/model/state.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { sendCommit } from "../../engine/front/world.ts";
import { askGit } from "../host/git-questions.ts";
import { checkCommand, loadCallState, type OperatorCall, toRefusedReply } from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";
import { prepareSigning } from "./sign.ts";

/** What agents did in the step stays on the record; the caller makes sure that something drives the bubble. */
export async function redoStep(call: OperatorCall, step: string, reason: string): Promise<CommandReply> {
  const command = { type: "redo", step, reason } as const;
  const refusal = (await checkCommand(call, command)) ?? (await readConfigAgain(call, "redo"));
  if (refusal) return toRefusedReply(refusal);
  return decideAndDrive(call, command, false);
}

const patienceMs = 30_000;
/** Asks for the merge, and waits a moment for what comes of it: a driver makes it. */
export async function askForBaseUpdate(
  call: OperatorCall,
  branch: string | undefined,
): Promise<CommandReply> {
  const { world } = call;
  const { state, tree } = await prepareSigning(call);
  const wanted = branch ?? state.config.base_branch;
  const to = await world.workspace.resolve(world.repo, wanted);
  // Other machines can have it before anybody there has to work with it.
  if (to !== state.baseCommit) await sendCommit(world, state, to);
  const handled = await decideAndDrive(call, { type: "update-base", branch: wanted, to, tree });
  return handled.refusal ? handled : { ...handled, state: await waitForMerge(call) };
}

async function waitForMerge(call: OperatorCall): Promise<State> {
  for (let waited = 0; ; waited += 100) {
    const state = await loadCallState(call);
    if (!state.baseUpdate || waited >= patienceMs) return state;
    await call.world.clock.sleep(100);
  }
}

/** How many commits the base branch has that this bubble does not know. */
export async function countNewerCommits({ repo }: { readonly repo: string }, state: State): Promise<number> {
  const range = `${state.baseCommit}..${state.config.base_branch}`;
  return Number((await askGit(repo, "rev-list", "--count", range, "--")) ?? 0) || 0;
}
