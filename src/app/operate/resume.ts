// Going on after an intervention: plainly, with changed files kept or put back, or with files allowed outside the scope.
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { codeTree } from "../../core/state/code.ts";
import { putBack } from "../../engine/front/front.ts";
import { type Handled, handle } from "../../engine/handle/handle.ts";
import { putBackSettings, unansweredChanges } from "../../engine/watch/git-watch.ts";
import { type OperatorCall, operator, refusedNow, stateOf } from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";
import { goesOnBelow, pausedAbove } from "./pause.ts";

/** A person allows files outside the scope by name, for every handoff from now on. */
export async function allowOutside(
  call: OperatorCall,
  paths: readonly string[],
  reason: string,
): Promise<Refusal | undefined> {
  if (paths.length === 0) return undefined;
  const command = { type: "override-scope", actor: operator(call), paths, reason } as const;
  return (await handle(call.world, call.bubble, command)).refusal;
}

/** Git settings that nobody has answered for go back too. */
async function putBackGit(call: OperatorCall, state: State): Promise<void> {
  const asks = (await unansweredChanges(call.world, state))?.asks ?? [];
  if (asks.length === 0) return;
  await putBackSettings(call.world, state, asks);
  const message = `git settings were changed after the start and put back: ${asks.join("; ")}`;
  const actor = operator(call);
  await handle(call.world, call.bubble, { type: "warn", actor, code: "git.settings-put-back", message });
}

export interface Resuming {
  readonly message: string;
  readonly tree?: "keep" | "put-back";
}

/** Why it cannot be resumed so: asked first, because a refused resume changes nothing. */
export async function resumeRefused(
  call: OperatorCall,
  { message, tree }: Resuming,
): Promise<Refusal | undefined> {
  const files = tree === "put-back" ? { putBack: "put-back.patch" } : tree;
  const said = await saidHere(call, message);
  return refusedNow(call, { ...said, ...(files ? { tree: files } : {}) });
}

/** The command, with the bubble above that is paused. */
async function saidHere(call: OperatorCall, message: string) {
  const state = await stateOf(call);
  const above = state.pause ? await pausedAbove(call, state) : undefined;
  return { type: "resume", message, ...(above ? { pausedAbove: above } : {}) } as const;
}

/** Resumes; `put-back` first restores the tree and keeps what it undid. Whoever calls sees to a driver: it may be himself. */
export async function resume(call: OperatorCall, how: Resuming): Promise<Handled> {
  const config = await readConfigAgain(call, "resume");
  if (config) return { state: undefined, envelopes: [], refusal: config };
  const state = await stateOf(call);
  const said = await saidHere(call, how.message);
  if (how.tree !== "put-back")
    return goesOnBelow(
      call,
      await decideAndDrive(call, { ...said, ...(how.tree ? { tree: how.tree } : {}) }, false),
    );
  const patch = await putBack(call.world, state, codeTree(state) ?? "");
  await putBackGit(call, state);
  return goesOnBelow(call, await decideAndDrive(call, { ...said, tree: { putBack: patch } }, false));
}
