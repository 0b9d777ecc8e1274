// Children that work at the same time: started, reported, and merged into one tree.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { joinIsDue, listCompletedChildren } from "../../../interpreter/children.ts";
import { advance, goTo, runOn } from "../../../interpreter/interpret.ts";
import type { PayloadOf } from "../../../model/record/envelope.ts";
import { refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { findTask, getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { limitTreeLists } from "./handoff.ts";

const buildChild = ({ children }: State, key: string) =>
  children?.each.find(({ child }) => child.key === key);

export const decideChildStarted: Rule<"child-started"> = (batch, { key, bubble }) => {
  const known = buildChild(batch.state, key);
  if (!known || known.bubble !== undefined) return refuseNotDue(`starting ${key}`);
  batch.write("CHILD_STARTED", { key, bubble });
};

/** A child reports its result. Reported twice, it counts once. */
export const decideChildReported: Rule<"child-reported"> = (batch, command) => {
  const { state } = batch;
  const { type: _type, actor: _actor, ...report } = command;
  const known = buildChild(state, report.key);
  if (!known || known.report || !isFrom(known.bubble, report))
    return refuse("child.reported", `${report.bubble} has reported already, or is no child of this bubble`);
  batch.write("CHILD_REPORTED", { ...report, why: clip(report.why, 2000) });
  if (batch.state.lifecycle === "RUNNING" && batch.state.children?.step === batch.state.position.step)
    runOn(batch);
};

/** From the child itself, or from the bubble that has taken its place. */
const isFrom = (known: string | undefined, { bubble, after = [] }: PayloadOf<"CHILD_REPORTED">): boolean =>
  known === undefined || known === bubble || after.includes(known);

/** The completed children's trees are one tree now; gates and a critic judge it. */
export const decideJoin: Rule<"joined"> = (batch, command) => {
  const { state } = batch;
  if (!joinIsDue(state) || state.lifecycle !== "RUNNING")
    return refuseNotDue("putting the children together");
  const { type: _type, actor: _actor, ...given } = command;
  const { children } = state;
  batch.write("JOINED", {
    ...given,
    ...limitTreeLists(given),
    conflicts: takeFitting(given.conflicts, 4_000),
  });
  const endings = children?.each ?? [];
  for (const { child, report } of endings) endChildTask(batch, child.task, report);
  keepLocks(batch, endings);
  const why =
    given.conflicts.length > 0
      ? `conflicts in ${given.conflicts.slice(0, 10).join(", ")}`
      : `${
          children
            ? listCompletedChildren(children)
                .map(({ child }) => child.key)
                .join(", ")
            : "nothing"
        } put together`;
  goOn(batch, given.conflicts.length > 0 ? "conflict" : "joined", why);
};

function endChildTask(
  batch: DecisionBatch,
  task: string | undefined,
  report: NonNullable<State["children"]>["each"][number]["report"],
): undefined {
  if (task === undefined) return;
  const status =
    report?.status === "completed" ? "completed" : report?.status === "exceeded" ? "exceeded" : "skipped";
  batch.write("TASK_ENDED", {
    task,
    status,
    ...(status === "exceeded" ? { flag: "max_iterations_exceeded" } : {}),
    iterations: 0,
    why: clip(report ? `${report.bubble}: ${report.why}` : "it was not needed any more", 2000),
  });
}

/** What a child has locked stays locked, unless another child changed it too: then only the joint review decides. */
function keepLocks(batch: DecisionBatch, each: NonNullable<State["children"]>["each"]): undefined {
  const all = each.flatMap(({ report }) => report?.locks ?? []);
  for (const { child, report } of each) {
    const own = (report?.locks ?? []).filter(
      (lock) => !isHeld(batch.state, lock) && !all.some((other) => isOtherVersion(other, lock)),
    );
    for (const decidedBy of [...new Set(own.map(({ decided_by }) => decided_by))])
      batch.write("LOCKED", {
        task: child.task ?? child.key,
        decided_by: decidedBy,
        artifacts: own
          .filter(({ decided_by }) => decided_by === decidedBy)
          .map(({ path, sha256 }) => ({ path, sha256 })),
      });
  }
}

type Hashed = { readonly path: string; readonly sha256: string };

/** It was locked before the child began. */
const isHeld = ({ locks = [] }: State, { path, sha256 }: Hashed) =>
  locks.some((one) => one.path === path && one.sha256 === sha256);

const isOtherVersion = (one: Hashed, { path, sha256 }: Hashed) => one.path === path && one.sha256 !== sha256;

/** What is joined is judged as a task of its own, with its own budget. */
function goOn(batch: DecisionBatch, outcome: string, why: string): undefined {
  const { state } = batch;
  const route = getCurrentStep(state)?.on[outcome];
  const task = findTask(state, state.program.tasks?.find(({ joins }) => joins)?.key);
  if (!task || !route) return advance(batch, outcome, why, buildOutput(state));
  batch.write("TASK_STARTED", { task: task.key, roles: task.roles, why });
  goTo(batch, outcome, { ...route, round: "next" }, why, buildOutput(state));
}

function buildOutput({ children }: State) {
  const completed = children ? listCompletedChildren(children).map(({ child }) => child.key) : [];
  const failed = (children?.each ?? [])
    .map(({ child }) => child.key)
    .filter((key) => !completed.includes(key));
  return { output: { completed, failed } };
}
