// The session of a pair as other tools read it: who drives, who challenges, and what was said in each iteration. A copy
// of the record for people and tools; nothing is ever decided from it.

import { getRoundLimit } from "../../limits/rounds.ts";
import { assertInvariant } from "../../model/refusal.ts";
import type { Iteration } from "../../model/run.ts";
import type { State } from "../../model/state.ts";
import { findTask, getCurrentTask, getIteration } from "../../state/workflow-position.ts";

export interface PairHistoryEntry {
  readonly iteration: number;
  readonly driver_output_summary: string;
  readonly challenger_critique: string;
  readonly challenger_approved: boolean;
}

export interface PairSession {
  readonly pair_session: {
    readonly driver_agent: string;
    readonly challenger_agent: string;
    readonly current_role_driver: string;
    readonly role_switch: "session" | "subtask" | "checkpoint";
    readonly iteration: number;
    readonly max_iterations: number;
    readonly history: readonly PairHistoryEntry[];
    readonly challenger_approved: boolean;
  };
}

/** Where it stands among the artifacts. */
export const namePairSession = (task: string): string => `pair-sessions/${task}.json`;

/** The bytes of the view. */
export const serializePairSession = (state: State, task: string): string =>
  `${JSON.stringify(buildPairSessionView(state, task), null, 2)}\n`;

export function buildPairSessionView(state: State, key: string): PairSession {
  const task = findTask(state, key);
  const progress = state.tasks?.[key];
  assertInvariant(task && progress, `the task ${key} has begun`);
  const { producer, critic = "" } = task.loop;
  const isNow = getCurrentTask(state)?.key === key;
  const last = progress.history.at(-1);
  const iteration = isNow ? getIteration(state) : (progress.iterations ?? last?.iteration ?? 1);
  const driver = task.roles[producer] ?? "";
  return {
    pair_session: {
      driver_agent: driver,
      challenger_agent: task.roles[critic] ?? "",
      current_role_driver: (isNow ? state.roles[producer] : last?.producer) ?? driver,
      role_switch: task.role_switch ?? "session",
      iteration,
      // Rounds that a human granted to a task that is over show in how many it took.
      max_iterations: isNow ? getRoundLimit(state) : Math.max(task.loop.max_rounds, iteration),
      history: progress.history.filter((round) => isTold(round, iteration)).map(buildEntry),
      // An approval is of the iteration it was given in.
      challenger_approved: last?.iteration === iteration && (last.approved ?? false),
    },
  };
}

/** A round is history when its challenger has spoken, or when it is over without that (the gates were red). */
function isTold({ iteration, approved, critique }: Iteration, now: number): boolean {
  return iteration < now || approved !== undefined || critique !== undefined;
}

function buildEntry({ iteration, summary, critique, approved }: Iteration): PairHistoryEntry {
  return {
    iteration,
    driver_output_summary: summary,
    challenger_critique: critique ?? "",
    challenger_approved: approved ?? false,
  };
}
