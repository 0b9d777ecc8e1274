// The exit codes of every command, as the table that docs/cli.md shows, and those by which `--exit-code` tells a script
// the state a bubble is left in.

import { buildUsageError } from "../../app/host/usage.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import { interruptedExit } from "../terminal/interrupt.ts";
import { exitCodes } from "./result.ts";

const stateExits = { ready: 0, waiting: 4, failed: 5, cancelled: 6, running: 7 } as const;

const exitOfState: Readonly<Record<Lifecycle, number>> = {
  CREATED: stateExits.running,
  PREPARING_WORKSPACE: stateExits.running,
  RUNNING: stateExits.running,
  WAITING_HUMAN: stateExits.waiting,
  READY_FOR_APPROVAL: stateExits.ready,
  APPROVED_FOR_COMMIT: stateExits.ready,
  COMMITTED: stateExits.ready,
  DONE: stateExits.ready,
  FAILED: stateExits.failed,
  CANCELLED: stateExits.cancelled,
};

export const exitCodeFlag = {
  "exit-code": {
    kind: "switch",
    about: "end with a code for the bubble's state: 4 waits for a human, 5 failed, 6 cancelled, 7 still runs",
  },
} as const;

/** The code for this state where `--exit-code` was given; nothing otherwise, which is 0. */
export function getExitCode(
  flags: { readonly "exit-code": boolean },
  state: Lifecycle | undefined,
  isPaused = false,
): { readonly exitCode?: number } {
  if (!flags["exit-code"] || !state) return {};
  const code = exitOfState[state];
  return { exitCode: isPaused && code === stateExits.running ? stateExits.waiting : code };
}

/** Only a command that drives the bubble itself sees where it ends. */
export function checkDrivesHere(flags: { readonly "exit-code": boolean }, drivesHere: boolean): void {
  if (flags["exit-code"] && !drivesHere)
    throw buildUsageError(
      "usage.contradiction",
      "--exit-code tells how a bubble ended that this command drives, and it drives none",
      "drive it here (--headless, without --detach), or ask later: pairflow bubble status --exit-code",
    );
}

/** Each code and what it means, in order. */
export const exitTable: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done. With `--exit-code`: ready for approval, approved, committed or done"],
  [exitCodes.refusal, "a rule refused it"],
  [exitCodes.usage, "wrong words, flags or files"],
  [exitCodes.failure, "the world failed: git, tmux, disk, network"],
  [stateExits.waiting, "only with `--exit-code`: the bubble waits for a human (WAITING_HUMAN, or paused)"],
  [stateExits.failed, "only with `--exit-code`: the bubble is FAILED"],
  [stateExits.cancelled, "only with `--exit-code`: the bubble is CANCELLED"],
  [
    stateExits.running,
    "only with `--exit-code`: the bubble is not started or still at work; its driver was ended by a signal, or is another process",
  ],
  [exitCodes.bug, "a bug in Pairflow"],
  [interruptedExit, "somebody left by Ctrl-C at a question"],
];
