// What every operator command needs first: the bubble, a world for it, and the door its caller came through.
import { describeSpeaker, describeTerminalDoor } from "../../app/caller/door.ts";
import { requireGrantingDoor } from "../../app/caller/guard.ts";
import { locateBubble } from "../../app/host/locate.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import { openOperatorCall } from "../../app/world/operator-call.ts";
import { createWorld } from "../../app/world/world.ts";
import { loadGood } from "../../engine/front/command.ts";
import { bubbleFlags } from "../verb/agent-flags.ts";
import type { Shell } from "../verb/declaration.ts";
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
  const confirm = confirmAt(shell, flags.yes ?? false);
  return openOperatorCall(locateBubble(flags, shell.cwd, shell.env), { via: "cli", confirm, seat });
}

/** A call also for a bubble whose record is damaged: to end what runs for it, to put it away, to continue from it. */
export async function openAnyCall(shell: Shell, flags: CallFlags): Promise<OperatorCall> {
  const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
  const { state } = await loadGood(createRecordWorld(repo), bubble);
  return { world: createWorld(repo, state?.seat ?? "tmux"), bubble, via: "cli" };
}

/** A call of a verb that grants something; refused when its caller may not grant. */
export async function openGrantingCall(
  shell: Shell,
  flags: CallFlags & { readonly "operator-key"?: string },
  seat?: string,
): Promise<OperatorCall> {
  const call = await openCall(shell, flags, seat);
  const state = await loadCallState(call);
  const { via, terminal } = requireGrantingDoor(call.world.repo, flags["operator-key"], [
    state.turn,
    state.lastTurn,
  ]);
  return {
    ...call,
    via,
    door: terminal === undefined ? describeSpeaker() : await describeTerminalDoor(terminal),
  };
}
