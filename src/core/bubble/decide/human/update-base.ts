// A person wants the newest commit of the base branch in the work before signing it. The driver merges; then the gates and
// both agents judge what came of it, as they judge everything else.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { findProducerStep, goTo, takeRouteOf } from "../../../interpreter/interpret.ts";
import { areRoundsSpent } from "../../../limits/rounds.ts";
import { refuse } from "../../../model/refusal.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { findTask } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { limitTreeLists } from "../driver/handoff.ts";
import { expectState } from "../expected.ts";
import { getViaAndDoor } from "./door.ts";

export const decideUpdateBase: Rule<"update-base"> = (batch, command) => {
  const { state } = batch;
  const wrong = expectState(state, ["READY_FOR_APPROVAL"], "update");
  if (wrong) return wrong;
  const { branch, to } = command;
  if (!state.tree || state.tree.paper)
    return refuse(
      "update.no-files",
      `${state.bubbleId} has made no files that the base could be merged into`,
      `pairflow bubble approve --id ${state.bubbleId}`,
    );
  if (to === state.baseCommit)
    return refuse(
      "update.not-moved",
      `${branch} is where ${state.bubbleId} began (${to.slice(0, 10)}); there is nothing to merge`,
      `pairflow bubble approve --id ${state.bubbleId}`,
    );
  if (command.tree !== state.tree.id)
    return refuse(
      "update.tree-changed",
      "files in the worktree differ from what was reviewed; the merge would lose them",
      `pairflow bubble resume --id ${state.bubbleId} --put-back`,
    );
  batch.write("BASE_UPDATE_WANTED", { branch, to, ...getViaAndDoor(command) });
};

export const decideBaseUpdated: Rule<"base-updated"> = (batch, command) => {
  const { state } = batch;
  const wanted = state.baseUpdate;
  if (!wanted || state.lifecycle !== "RUNNING" || wanted.to !== command.to)
    return refuseNotDue("merging the base");
  const { type: _type, actor: _actor, ...given } = command;
  const conflicts = takeFitting(given.conflicts, 4_000);
  const isSpent = findProducerStep(state).task === undefined && areRoundsSpent(state);
  batch.write("BASE_UPDATED", {
    ...given,
    ...limitTreeLists(given),
    from: state.baseCommit,
    conflicts,
    ...(isSpent ? { rounds: 1 } : {}),
  });
  const what = `${wanted.branch} ${wanted.to.slice(0, 10)} was merged into the work`;
  judgeAgain(
    batch,
    conflicts.length > 0
      ? `${what}, with conflicts in ${clip(conflicts.slice(0, 10).join(", "), 1500)}`
      : what,
    conflicts.length > 0,
  );
};

/** Conflicts are the producer's to settle; what merged by itself goes where a handoff of it goes. */
function judgeAgain(batch: DecisionBatch, why: string, hasConflicts: boolean): undefined {
  const producer = findProducerStep(batch.state);
  const task = findTask(batch.state, producer.task);
  if (task) batch.write("TASK_STARTED", { task: task.key, roles: task.roles, why: clip(why, 2000) });
  const next = producer.on.success;
  if (hasConflicts || !next)
    return goTo(batch, "updated", { to: producer.name, round: "next", roles: "keep" }, why);
  if (next.to.startsWith("$")) return takeRouteOf(batch, producer, "success", why);
  return goTo(batch, "updated", { ...next, round: "next" }, why);
}
