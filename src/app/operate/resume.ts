// Going on after an intervention: plainly, with changed files kept or put back, or with files allowed outside the scope.
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { codeTree } from "../../core/state/code.ts";
import { putBack } from "../../engine/front/front.ts";
import { type Handled, handle } from "../../engine/handle/handle.ts";
import { putBackSettings, unansweredChanges } from "../../engine/watch/git-watch.ts";
import { type Desk, operator, refusedNow, stateOf } from "../trust/desk.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";
import { goesOnBelow, pausedAbove } from "./pause.ts";

/** A person allows files outside the scope by name, for every handoff from now on. */
export async function allowOutside(
  desk: Desk,
  paths: readonly string[],
  reason: string,
): Promise<Refusal | undefined> {
  if (paths.length === 0) return undefined;
  const command = { type: "override-scope", actor: operator(desk), paths, reason } as const;
  return (await handle(desk.world, desk.bubble, command)).refusal;
}

/** Git settings that nobody has answered for go back too. */
async function putBackGit(desk: Desk, state: State): Promise<void> {
  const asks = (await unansweredChanges(desk.world, state))?.asks ?? [];
  if (asks.length === 0) return;
  await putBackSettings(desk.world, state, asks);
  const message = `git settings were changed after the start and put back: ${asks.join("; ")}`;
  const actor = operator(desk);
  await handle(desk.world, desk.bubble, { type: "warn", actor, code: "git.settings-put-back", message });
}

export interface Resuming {
  readonly message: string;
  readonly tree?: "keep" | "put-back";
}

/** Why it cannot be resumed so: asked first, because a refused resume changes nothing. */
export async function resumeRefused(desk: Desk, { message, tree }: Resuming): Promise<Refusal | undefined> {
  const files = tree === "put-back" ? { putBack: "put-back.patch" } : tree;
  const said = await saidHere(desk, message);
  return refusedNow(desk, { ...said, ...(files ? { tree: files } : {}) });
}

/** The command, with the bubble above that is paused. */
async function saidHere(desk: Desk, message: string) {
  const state = await stateOf(desk);
  const above = state.pause ? await pausedAbove(desk, state) : undefined;
  return { type: "resume", message, ...(above ? { pausedAbove: above } : {}) } as const;
}

/** Resumes; `put-back` first restores the tree and keeps what it undid. Whoever calls sees to a driver: it may be himself. */
export async function resume(desk: Desk, how: Resuming): Promise<Handled> {
  const config = await readConfigAgain(desk, "resume");
  if (config) return { state: undefined, envelopes: [], refusal: config };
  const state = await stateOf(desk);
  const said = await saidHere(desk, how.message);
  if (how.tree !== "put-back")
    return goesOnBelow(
      desk,
      await decideAndDrive(desk, { ...said, ...(how.tree ? { tree: how.tree } : {}) }, false),
    );
  const patch = await putBack(desk.world, state, codeTree(state) ?? "");
  await putBackGit(desk, state);
  return goesOnBelow(desk, await decideAndDrive(desk, { ...said, tree: { putBack: patch } }, false));
}
