// What every operator command needs first: the bubble, a world for it, and the door its caller came through.
import { grantingDoor } from "../app/guard.ts";
import { locate } from "../app/locate.ts";
import { type Desk, stateOf } from "../app/operate/desk.ts";
import { recordWorld } from "../app/record-world.ts";
import { worldOf } from "../app/world.ts";
import { load } from "../engine/handle.ts";
import { bubbleFlags } from "./spoken-flags.ts";
import type { Shell } from "./verb.ts";

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
}

export async function openDesk(shell: Shell, flags: DeskFlags, seat?: string): Promise<Desk> {
  const { repo, bubble } = locate(flags, shell.cwd, shell.env);
  const kept = seat ?? (await load(recordWorld(repo), bubble)).state?.seat ?? "tmux";
  return { world: worldOf(repo, kept), bubble, via: "cli" };
}

/** A desk for verbs that grant something; refuses when nobody who may grant stands at it. */
export async function openGrantingDesk(
  shell: Shell,
  flags: DeskFlags & { readonly "operator-key"?: string },
  seat?: string,
): Promise<Desk> {
  const desk = await openDesk(shell, flags, seat);
  const state = await stateOf(desk);
  const ttys = [state.turn?.tty, state.lastTurn?.tty].filter((tty): tty is string => Boolean(tty));
  return { ...desk, via: grantingDoor(state.config.repo_path, flags["operator-key"], ttys) };
}
