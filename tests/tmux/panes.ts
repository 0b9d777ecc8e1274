// Looking into a bubble's panes and typing into them, as a person who is attached would.
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Rig } from "../acceptance/rig.ts";

export const status = 0;
export const first = 1;
export const second = 2;

export function tmux(tool: Rig, ...args: string[]): string {
  return execFileSync("tmux", ["-L", tool.socket, ...args], { encoding: "utf8", stdio: "pipe" });
}

const target = (id: string, pane: number) => `=pf-${id}:0.${pane}`;

/** One of tmux's own facts about each pane, in the order of the panes. */
export function facts(tool: Rig, id: string, format: string): string[] {
  return tmux(tool, "list-panes", "-s", "-t", `=pf-${id}:`, "-F", format).trimEnd().split("\n");
}

export function screen(tool: Rig, id: string, pane: number): string {
  return tmux(tool, "capture-pane", "-p", "-J", "-t", target(id, pane));
}

/** Waits until a pane shows this; throws with what it shows when it never does. */
export async function sees(tool: Rig, id: string, pane: number, what: string | RegExp): Promise<string> {
  for (const end = Date.now() + 20_000; ; await sleep(50)) {
    const text = screen(tool, id, pane);
    if (typeof what === "string" ? text.includes(what) : what.test(text)) return text;
    if (Date.now() > end) throw new Error(`pane ${pane} of ${id} never showed ${what}\n${text}`);
  }
}

export function types(tool: Rig, id: string, pane: number, text: string): void {
  tmux(tool, "send-keys", "-t", target(id, pane), "-l", text);
  tmux(tool, "send-keys", "-t", target(id, pane), "Enter");
}

/** The processes of the turns that ran, in the order they were started. */
export function spawned(tool: Rig, id: string): { turn: string; attempt: number; pid: number }[] {
  return tool.log(id).flatMap((envelope) => (envelope.type === "TURN_SPAWNED" ? [envelope.payload] : []));
}
