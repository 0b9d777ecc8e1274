// What people decide about a finished tree: approve it, send it back, commit it.

import { findProducerStep, goTo } from "../../../interpreter/interpret.ts";
import { areRoundsSpent } from "../../../limits/rounds.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { isPasskeyWanted } from "../../../permission/proof/door.ts";
import { number } from "../../../review/findings/ledger.ts";
import { findTask } from "../../../state/workflow-position.ts";
import type { Rule } from "../../decision.ts";
import { listLockProblems } from "../driver/locks.ts";
import { expectState } from "../expected.ts";
import { getViaAndDoor } from "./door.ts";

/** The signature: it binds to the digest the human saw, and only while the tree is still that tree. */
export const decideApprove: Rule<"approve"> = (batch, command) => {
  const { state } = batch;
  if (state.lifecycle === "APPROVED_FOR_COMMIT")
    return refuse(
      "approve.already",
      `${state.bubbleId} is approved already`,
      `pairflow bubble commit --id ${state.bubbleId}`,
    );
  const wrong = expectState(state, ["READY_FOR_APPROVAL"], "approve");
  if (wrong) return wrong;
  if (command.digest !== state.approval?.digest)
    return refuse(
      "approve.digest",
      "the record no longer gives the digest that asks for approval",
      `pairflow verify --id ${state.bubbleId}`,
    );
  if (command.tree !== state.approval.tree)
    return refuse(
      "approve.tree-changed",
      "files in the worktree differ from what was reviewed",
      `pairflow bubble resume --id ${state.bubbleId} --put-back`,
    );
  const door = checkDoor(state, command);
  if (door) return door;
  batch.write("APPROVAL_DECISION", {
    decision: "approve",
    digest: command.digest,
    message: command.message,
    ...getViaAndDoor(command),
  });
};

/** Settings may ask for more than a terminal: one that a person has opened, and a person who has not started the work. */
function checkDoor(
  { config, startedBy, bubbleId }: State,
  { actor }: CommandOf<"approve">,
): Refusal | undefined {
  if (actor.kind !== "operator") return undefined;
  const { via: through, door, proof } = actor;
  const isProven = proof !== undefined || through === "operator-key" || (door && !door.unproven);
  if (config.approval === "proven" && !isProven)
    return refuse(
      "approve.door-unproven",
      `this bubble needs a proven door: ${door?.unproven ?? "nothing is known about this one"}`,
      `run it in a terminal you opened yourself, or add --operator-key <file>: pairflow bubble approve --id ${bubbleId}`,
    );
  if (config.second_person && (!startedBy || startedBy === door?.user))
    return refuse(
      "approve.same-person",
      startedBy
        ? `${startedBy} has started this bubble; another person must approve it`
        : "who has started this bubble is not on its record, and another person must approve it",
      `from another account: pairflow bubble approve --id ${bubbleId}`,
    );
}

export const decideRework: Rule<"request-rework"> = (batch, command) => {
  const { state } = batch;
  const wrong = expectState(state, ["READY_FOR_APPROVAL"], "request-rework");
  if (wrong) return wrong;
  const { findings } = number(command.findings ?? [], [], state.findings, state.findingCount);
  if (!command.message.trim() && findings.length === 0)
    return refuse("rework.no-message", "say what must change", '--message "…"');
  const decision = command.reject ? "reject" : "revise";
  const step = findProducerStep(state);
  const grant = step.task === undefined && areRoundsSpent(state) ? { rounds: 1 } : {};
  batch.write("APPROVAL_DECISION", {
    decision,
    digest: state.approval?.digest ?? "",
    message: command.message,
    ...getViaAndDoor(command),
    ...grant,
    ...(findings.length > 0 ? { findings } : {}),
  });
  const route = { to: step.name, round: "next" as const, roles: "keep" as const };
  const task = findTask(state, step.task);
  if (task)
    batch.write("TASK_STARTED", { task: task.key, roles: task.roles, why: "a human sends the result back" });
  const why = `the human ${command.reject ? "rejected the result" : "asked for rework"}: ${describeRework(command.message, findings)}`;
  goTo(batch, decision, route, why);
};

function describeRework(message: string, findings: readonly { id: string; title: string }[]): string {
  const found = findings.map(({ id, title }) => `${id} ${title}`).join("; ");
  return clip([message.trim(), found].filter(Boolean).join("; "), 1900);
}

/** The commit was written by plumbing; it counts only if it holds the approved tree. */
export const decideCommit: Rule<"commit"> = (batch, command) => {
  const { state } = batch;
  const refused = checkCommit(state, command.tree, command.locked);
  if (refused) return refused;
  batch.write("COMMITTED", {
    commit: command.commit,
    tree: command.tree,
    branch: command.branch,
    ...getViaAndDoor(command),
  });
  batch.write("FINISHED", {});
};

/** Why these bytes may not be committed now, or undefined. Asked before the commit is written, and again with it. */
export function checkCommit(
  state: State,
  tree: string,
  locked?: CommandOf<"commit">["locked"],
): Refusal | undefined {
  if (
    state.lifecycle === "READY_FOR_APPROVAL" ||
    state.lifecycle === "RUNNING" ||
    state.lifecycle === "WAITING_HUMAN"
  )
    return refuse(
      "commit.not-approved",
      `${state.bubbleId} is ${state.lifecycle}: nothing is committed without an approval`,
      `pairflow bubble ${state.lifecycle === "READY_FOR_APPROVAL" ? "approve" : "status"} --id ${state.bubbleId}`,
    );
  const wrong = expectState(state, ["APPROVED_FOR_COMMIT"], "commit");
  if (wrong) return wrong;
  if (state.approval?.decision !== "approve")
    return refuse(
      "commit.not-approved",
      "there is no approval",
      `pairflow bubble approve --id ${state.bubbleId}`,
    );
  if (isPasskeyWanted(state, { type: "approve" }) && !state.approval.passkey)
    return refuse(
      "commit.passkey",
      "this bubble is approved by a passkey alone, and its approval has none",
      `pairflow verify --id ${state.bubbleId}`,
    );
  if (tree !== state.approval.tree)
    return refuse(
      "commit.tree-changed",
      "the worktree is not what was approved; nothing was committed",
      `pairflow bubble resume --id ${state.bubbleId} --put-back`,
      [`approved tree ${state.approval.tree.slice(0, 12)}, found ${tree.slice(0, 12)}`],
    );
  const [broken, ...others] = listLockProblems(state, locked);
  if (broken)
    return refuse(
      "commit.locked",
      "a locked artifact is not what was locked; nothing was committed",
      `pairflow bubble status --id ${state.bubbleId}`,
      [broken, ...others],
    );
}
