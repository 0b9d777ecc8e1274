// What is named after a repository outside of it: its tmux server, and the marks of its processes.
import { createHash } from "node:crypto";

/** Tells repositories apart on one machine: in work markers and tmux sockets. */
export function computeRepoTag(repo: string): string {
  return createHash("sha256").update(repo).digest("hex").slice(0, 8);
}

export function getTmuxSocket(repo: string): string {
  return process.env.PAIRFLOW_TMUX_SOCKET || `pairflow-${computeRepoTag(repo)}`;
}
