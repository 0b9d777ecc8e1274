// What every operator command needs first: the bubble, a world for it, and the door its caller came through.
import { speaker, terminalDoor } from "../../app/caller/door.ts";
import { grantingDoor } from "../../app/caller/guard.ts";
import { locate } from "../../app/host/locate.ts";
import { loadWhole } from "../../app/record/whole.ts";
import { recordWorld } from "../../app/record/world.ts";
import { type OperatorCall, stateOf } from "../../app/trust/operator-call.ts";
import { refuseTracked } from "../../app/trust/tracked.ts";
import { worldOf } from "../../app/world/world.ts";
import { loadGood } from "../../engine/handle/handle.ts";
import { bubbleFlags } from "../verb/spoken-flags.ts";
import type { Shell } from "../verb/verb.ts";
import { confirmAt } from "./trust.ts";

export const operatorFlags = bubbleFlags;

export const grantFlags = {
  ...bubbleFlags,
  "operator-key": {
    kind: "text",
    value: "<file>",
    about: "a key that speaks for a person where there is no terminal (recorded as such)",
  },
} as const;

interface CallFlags {
  readonly id?: string;
  readonly repo?: string;
  /** Confirms what the settings run. */
  readonly yes?: boolean;
}

export async function openCall(shell: Shell, flags: CallFlags, seat?: string): Promise<OperatorCall> {
  const { repo, bubble } = locate(flags, shell.cwd, shell.env);
  await refuseTracked(repo, bubble);
  const { state } = await loadWhole(recordWorld(repo), repo, bubble);
  const world = worldOf(repo, seat ?? state?.seat ?? "tmux");
  return { world, bubble, via: "cli", door: speaker(), confirm: confirmAt(shell, flags.yes ?? false) };
}

/** A call also for a bubble whose record is damaged: to end what runs for it, to put it away, to continue from it. */
export async function openAnyDesk(shell: Shell, flags: CallFlags): Promise<OperatorCall> {
  const { repo, bubble } = locate(flags, shell.cwd, shell.env);
  const { state } = await loadGood(recordWorld(repo), bubble);
  return { world: worldOf(repo, state?.seat ?? "tmux"), bubble, via: "cli" };
}

/** A call of a verb that grants something; refused when its caller may not grant. */
export async function openGrantingDesk(
  shell: Shell,
  flags: CallFlags & { readonly "operator-key"?: string },
  seat?: string,
): Promise<OperatorCall> {
  const call = await openCall(shell, flags, seat);
  const state = await stateOf(call);
  const { via, terminal } = grantingDoor(state.config.repo_path, flags["operator-key"], [
    state.turn,
    state.lastTurn,
  ]);
  return { ...call, via, door: terminal === undefined ? speaker() : await terminalDoor(terminal) };
}
