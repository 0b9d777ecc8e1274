// The panes of a bubble's session, as tmux knows them. Each carries options that say whose it is and what was last
// started in it, because people move and close panes and a position means nothing.
import type { Tmux } from "./tmux-client.ts";

export interface Pane {
  readonly id: string;
  readonly window: string;
  readonly dead: boolean;
  readonly pid: number;
  readonly tty: string;
  readonly inMode: boolean;
  /** The agent's name, `statusPane`, or empty for a pane that a person made. */
  readonly agent: string;
  /** The work that was last started here, or empty. */
  readonly work: string;
}

/** The mark of the status pane; no agent can be called so. */
export const statusPane = "-";
/** What the status pane has in place of a turn's work, once its command was started. */
export const statusWork = "status";

/** `=`: the exact name, or tmux would take the nearest session that begins like it. */
export const getSessionTarget = (bubble: string): string => `=pf-${bubble}:`;
export const getSessionName = (bubble: string): string => `pf-${bubble}`;

const paneFormat = [
  "#{session_name}",
  "#{pane_id}",
  "#{window_id}",
  "#{pane_dead}",
  "#{pane_pid}",
  "#{pane_tty}",
  "#{pane_in_mode}",
  "#{@pairflow_agent}",
  "#{@pairflow_work}",
].join("|");

/** All panes of a bubble's session in their order, or undefined when there is no such session. */
export async function listPanes(tmux: Tmux, bubble: string): Promise<Pane[] | undefined> {
  const text = await tmux.runIfThere([
    ["list-panes", "-s", "-t", getSessionTarget(bubble), "-F", paneFormat],
  ]);
  return text
    ?.split("\n")
    .map((line) => line.split("|"))
    .filter(([session]) => session === getSessionName(bubble))
    .map(parsePane);
}

function parsePane(fields: readonly string[]): Pane {
  const [, id = "", window = "", dead, pid, tty = "", mode, agent = "", work = ""] = fields;
  return { id, window, dead: dead === "1", pid: Number(pid), tty, inMode: Number(mode) > 0, agent, work };
}
