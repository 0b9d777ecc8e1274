// What every operator command needs first: the bubble, a world for it, and the door its caller came through.
import { speaker, terminalDoor } from "../../app/caller/door.ts";
import { grantingDoor } from "../../app/caller/guard.ts";
import { locate } from "../../app/host/locate.ts";
import { loadWhole } from "../../app/record/whole.ts";
import { recordWorld } from "../../app/record/world.ts";
import { type Desk, stateOf } from "../../app/trust/desk.ts";
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

interface DeskFlags {
  readonly id?: string;
  readonly repo?: string;
  /** Confirms what the settings run. */
  readonly yes?: boolean;
}

export async function openDesk(shell: Shell, flags: DeskFlags, seat?: string): Promise<Desk> {
  const { repo, bubble } = locate(flags, shell.cwd, shell.env);
  await refuseTracked(repo, bubble);
  const { state } = await loadWhole(recordWorld(repo), repo, bubble);
  const world = worldOf(repo, seat ?? state?.seat ?? "tmux");
  return { world, bubble, via: "cli", door: speaker(), confirm: confirmAt(shell, flags.yes ?? false) };
}

/** A desk also for a bubble whose record is damaged: to end what runs for it, to put it away, to go on from it. */
export async function openAnyDesk(shell: Shell, flags: DeskFlags): Promise<Desk> {
  const { repo, bubble } = locate(flags, shell.cwd, shell.env);
  const { state } = await loadGood(recordWorld(repo), bubble);
  return { world: worldOf(repo, state?.seat ?? "tmux"), bubble, via: "cli" };
}

/** A desk for verbs that grant something; refuses when nobody who may grant stands at it. */
export async function openGrantingDesk(
  shell: Shell,
  flags: DeskFlags & { readonly "operator-key"?: string },
  seat?: string,
): Promise<Desk> {
  const desk = await openDesk(shell, flags, seat);
  const state = await stateOf(desk);
  const { via, terminal } = grantingDoor(state.config.repo_path, flags["operator-key"], [
    state.turn,
    state.lastTurn,
  ]);
  return { ...desk, via, door: terminal === undefined ? speaker() : await terminalDoor(terminal) };
}
