// What takes this terminal over for a while: the tmux command that shows a bubble's panes.

import { runInForeground } from "../../adapters/process/foreground.ts";
import { buildAttachCommand } from "../../adapters/seat/tmux.ts";
import { getTmuxSocket } from "../host/repositories/names.ts";
import type { OperatorCall } from "../trust/operator-call.ts";

/** The private server has its socket at tmux's usual place, whatever the caller's own tmux uses. */
export function attachCommand(call: OperatorCall, env: NodeJS.ProcessEnv = process.env): string[] {
  const command = buildAttachCommand(getTmuxSocket(call.world.repo), call.bubble);
  return env.TMUX_TMPDIR ? ["env", "-u", "TMUX_TMPDIR", ...command] : command;
}

export function attachTerminal(call: OperatorCall): Promise<number> {
  return runInForeground(attachCommand(call));
}
