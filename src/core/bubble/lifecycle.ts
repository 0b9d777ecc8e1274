// The ten states of a bubble and every transition between them, as one table. What is not here is refused.
import type { Lifecycle } from "../model/state.ts";

const stop = ["FAILED", "CANCELLED"] as const;

export const transitions: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  CREATED: ["PREPARING_WORKSPACE", "CANCELLED"],
  PREPARING_WORKSPACE: ["RUNNING", ...stop],
  /** A child, or a run that made nothing, is done without a commit of its own. */
  RUNNING: ["WAITING_HUMAN", "READY_FOR_APPROVAL", "DONE", ...stop],
  WAITING_HUMAN: ["RUNNING", ...stop],
  READY_FOR_APPROVAL: ["APPROVED_FOR_COMMIT", "RUNNING", ...stop],
  APPROVED_FOR_COMMIT: ["COMMITTED", ...stop],
  COMMITTED: ["DONE", ...stop],
  DONE: [],
  FAILED: [],
  CANCELLED: [],
};

export function mayMove(from: Lifecycle, to: Lifecycle): boolean {
  return transitions[from].includes(to);
}

export function isFinal(state: Lifecycle): boolean {
  return transitions[state].length === 0;
}
