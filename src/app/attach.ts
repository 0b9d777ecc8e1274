// The tmux command that shows a bubble's panes, and running it in this terminal.

import { foreground } from "../adapters/process/foreground.ts";
import { tmuxAttach } from "../adapters/seat/tmux.ts";
import type { Desk } from "./operate/desk.ts";
import { tmuxSocket } from "./world.ts";

export function attachCommand(desk: Desk): string[] {
  return [...tmuxAttach(tmuxSocket(desk.world.repo), desk.bubble)];
}

export function attachTerminal(desk: Desk): Promise<number> {
  return foreground(attachCommand(desk));
}
