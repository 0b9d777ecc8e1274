// Resuming after an intervention: as it is, with changed files kept or put back, or with files allowed outside the scope.
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { getCodeTree } from "../../core/state/code-tree.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { findUnansweredGitChanges, putBack, putBackSettings } from "../../engine/front/effects.ts";
import {
  checkCommand,
  loadCallState,
  type OperatorCall,
  submit,
  toRefusedReply,
} from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";
import { findPausedAbove, resumeBelow } from "./pause.ts";

/** A person allows files outside the scope by name, for every handoff from now on. */
export async function allowOutside(
  call: OperatorCall,
  paths: readonly string[],
  reason: string,
): Promise<Refusal | undefined> {
  if (paths.length === 0) return undefined;
  return (await submit(call, { type: "override-scope", paths, reason })).refusal;
}

/** Git settings that nobody has answered for go back too. */
async function putBackGit(call: OperatorCall, state: State): Promise<void> {
  const asks = (await findUnansweredGitChanges(call.world, state))?.asks ?? [];
  if (asks.length === 0) return;
  await putBackSettings(call.world, state, asks);
  const message = `git settings were changed after the start and put back: ${asks.join("; ")}`;
  await submit(call, { type: "warn", code: "git.settings-put-back", message });
}

export interface ResumeOptions {
  readonly message: string;
  readonly tree?: "keep" | "put-back";
}

/** Why it cannot be resumed so: asked first, because a refused resume changes nothing. */
export async function resumeRefused(
  call: OperatorCall,
  { message, tree }: ResumeOptions,
): Promise<Refusal | undefined> {
  const files = tree === "put-back" ? { putBack: "put-back.patch" } : tree;
  const said = await buildResumeCommand(call, message);
  return checkCommand(call, { ...said, ...(files ? { tree: files } : {}) });
}

/** The command, with the bubble above that is paused. */
async function buildResumeCommand(call: OperatorCall, message: string) {
  const state = await loadCallState(call);
  const above = state.pause ? await findPausedAbove(call, state) : undefined;
  return { type: "resume", message, ...(above ? { pausedAbove: above } : {}) } as const;
}

/** Resumes; `put-back` first restores the tree and keeps what it undid. The caller sees to a driver, and may be one itself. */
export async function resumeBubble(call: OperatorCall, how: ResumeOptions): Promise<CommandReply> {
  const config = await readConfigAgain(call, "resume");
  if (config) return toRefusedReply(config);
  const state = await loadCallState(call);
  const said = await buildResumeCommand(call, how.message);
  if (how.tree !== "put-back")
    return resumeBelow(
      call,
      await decideAndDrive(call, { ...said, ...(how.tree ? { tree: how.tree } : {}) }, false),
    );
  const patch = await putBack(call.world, state, getCodeTree(state) ?? "");
  await putBackGit(call, state);
  return resumeBelow(call, await decideAndDrive(call, { ...said, tree: { putBack: patch } }, false));
}
