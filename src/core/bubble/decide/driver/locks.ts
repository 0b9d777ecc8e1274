// Locked artifacts: what a task has agreed on is hashed, and a later change of it is refused until a human unlocks it.

import { advance } from "../../../interpreter/interpret.ts";
import { listCleanPasses } from "../../../judge/convergence.ts";
import { isSigned } from "../../../judge/tiers.ts";
import { refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { findBrokenLocks } from "../../../permission/locks.ts";
import { getCurrentStep, getCurrentTask, getTaskProgress } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { getViaAndDoor } from "../human/door.ts";

/** The current task's artifacts are hashed: from here on they stay as they are. */
export const lock: Rule<"lock"> = (batch, command) => {
  const { state } = batch;
  if (
    getCurrentStep(state)?.kind !== "lock" ||
    state.lifecycle !== "RUNNING" ||
    command.tree !== state.tree?.id
  )
    return refuseNotDue("this lock");
  const task = getCurrentTask(state)?.key;
  const artifacts = [...command.artifacts];
  batch.write("LOCKED", { ...(task ? { task } : {}), decided_by: clip(findDecider(state), 200), artifacts });
  const what = artifacts.length === 1 ? (artifacts[0]?.path ?? "") : `${artifacts.length} artifacts`;
  advance(batch, "locked", `${what} locked; decided by ${findDecider(state)}`, {
    output: { artifacts: artifacts.slice(0, 50).map(({ path }) => path) },
  });
};

/** Whose word made the loop end. */
function findDecider(state: State): string {
  const progress = getTaskProgress(state);
  const task = getCurrentTask(state);
  if (progress?.accepted || (task && isSigned(state, task))) return "a human";
  const critics = [...new Set(listCleanPasses(state).map(({ agent }) => agent))];
  if (critics.length > 0) return critics.join(", ");
  const { confidence } = progress ?? {};
  return confidence?.met ? `confidence ${confidence.score} and the task's policy` : "the task's policy";
}

export const unlock: Rule<"unlock"> = (batch, command) => {
  const locks = batch.state.locks ?? [];
  const id = batch.state.bubbleId;
  const unknown = command.paths.find((path) => !locks.some((one) => one.path === path));
  if (unknown !== undefined || command.paths.length === 0)
    return refuse(
      "unlock.unknown",
      unknown === undefined ? "no path was named" : `${unknown} is not locked`,
      `pairflow bubble status --id ${id}`,
      locks.slice(0, 20).map(({ path, task }) => `${path}${task ? ` (${task})` : ""}`),
    );
  if (!command.reason.trim()) return refuse("unlock.no-reason", "unlocking needs a reason", '--reason "…"');
  batch.write("UNLOCKED", {
    paths: [...command.paths],
    reason: clip(command.reason, 2000),
    ...getViaAndDoor(command),
  });
};

/** What a tree does to locked artifacts. A caller that did not look them up has not shown that they are untouched. */
export function listLockProblems(
  state: State,
  found: Readonly<Record<string, string | null>> | undefined,
): string[] {
  const locks = state.locks ?? [];
  if (locks.length === 0) return [];
  if (!found) return ["the locked artifacts were not looked up in this tree"];
  return findBrokenLocks(locks, found).map(
    ({ path, says }) =>
      `${says}; to allow it: pairflow bubble unlock --id ${state.bubbleId} --path ${path} --reason "…"`,
  );
}
