// The tmux command that shows a bubble's panes, and running it in this terminal.

import { foreground } from "../../adapters/process/foreground.ts";
import { tmuxAttach } from "../../adapters/seat/tmux.ts";
import { tmuxSocket } from "../host/repository-names.ts";
import type { Desk } from "../trust/desk.ts";

/** The private server has its socket at tmux's usual place, whatever the caller's own tmux is told. */
export function attachCommand(desk: Desk, env: NodeJS.ProcessEnv = process.env): string[] {
  const command = tmuxAttach(tmuxSocket(desk.world.repo), desk.bubble);
  return env.TMUX_TMPDIR ? ["env", "-u", "TMUX_TMPDIR", ...command] : command;
}

export function attachTerminal(desk: Desk): Promise<number> {
  return foreground(attachCommand(desk));
}
