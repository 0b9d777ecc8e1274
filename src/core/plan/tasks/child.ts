// A task of a plan as its own piece of work: what its agents are told, and what a workflow is started with for it.
import { Constraints, PlanTask } from "../../model/plan.ts";
import type { Child } from "../../model/program.ts";
import { clip } from "../../model/value/sizes.ts";
import { check } from "../../model/value/validate.ts";
import { renderConstraints, sortConstraints } from "../constraints.ts";

type Payload = Readonly<Record<string, unknown>>;

/** What is known about the plan a task belongs to. */
export interface TaskOf {
  readonly slug: string;
  readonly title: string;
  /** What the plan is for, in its own words. */
  readonly mission: string;
  readonly constraints: Constraints;
  /** Names at the top of the repository, by which a constraint of one word is a path. */
  readonly topLevel: readonly string[];
  /** The task that this one is a part of; left out: a task of the plan itself. */
  readonly partOf?: string;
}

/** The plan as a paper, or as an earlier run handed it on. */
export function findTaskPlan(paper: Payload | undefined, payload: Payload): TaskOf {
  const given = check(Constraints, paper?.constraints ?? payload.plan_constraints ?? {});
  const text = (...values: unknown[]) => String(values.find((value) => typeof value === "string") ?? "");
  const whole = text(payload.original_task_id);
  return {
    ...(whole ? { partOf: whole } : {}),
    slug: text(payload.plan_slug, payload.slug),
    title: text(paper?.title, payload.plan_title),
    mission: text(paper?.mission, payload.plan_mission),
    constraints: given.ok ? given.value : { in: [], out: [], do_not_touch: [] },
    topLevel: Array.isArray(payload.top_level) ? payload.top_level.map(String) : [],
  };
}

/** The tasks that a paper lists. */
export function parsePlanTasks(paper: Payload | undefined): PlanTask[] {
  const listed: unknown[] = Array.isArray(paper?.tasks) ? paper.tasks : [];
  return listed.flatMap((one) => {
    const read = check(PlanTask, one);
    return read.ok ? [read.value] : [];
  });
}

export function buildChildOfTask(task: PlanTask, plan: TaskOf, workflow: string): Child {
  return {
    key: task.id,
    workflow,
    payload: buildTaskPayload(task, plan),
    brief: buildTaskBrief(task, plan),
    scope: copyScope(sortConstraints(plan.constraints, plan.topLevel).scope),
  };
}

type Described = Pick<PlanTask, "description" | "files" | "criteria">;

/** What `trigger.payload` says about the task. */
export function buildTaskPayload(
  task: Described & { readonly id?: string },
  plan: TaskOf,
): Record<string, unknown> {
  return {
    ...(task.id === undefined ? {} : { task_id: getTaskId(task.id, plan) }),
    ...(plan.slug ? { slug: plan.slug, plan_slug: plan.slug } : {}),
    ...(plan.title ? { plan_title: plan.title } : {}),
    ...(plan.mission ? { plan_mission: plan.mission } : {}),
    plan_constraints: plan.constraints,
    task_description: task.description,
    acceptance_criteria: listCriteria(task)
      .map((line) => `- ${line}`)
      .join("\n"),
    constraints: renderConstraints(plan.constraints, plan.topLevel),
    top_level: [...plan.topLevel],
    files: [...task.files],
    gate_preset: "none",
  };
}

/** `totals.t1`; a part of it is `totals.t1.rate`. */
function getTaskId(id: string, { slug, partOf = slug }: TaskOf): string {
  return partOf ? `${partOf}.${id}` : id;
}

/** Intent, task and criteria: all that its agents need. */
export function buildTaskBrief(task: Described, plan: TaskOf): NonNullable<Child["brief"]> {
  const [first = ""] = task.description.split("\n");
  const rules = renderConstraints(plan.constraints, plan.topLevel);
  const parts = [
    `# ${first}`,
    ...(plan.mission ? [`## Part of the plan: ${plan.title}`, plan.mission.trim()] : []),
    "## This task",
    task.description.trim(),
    ...(task.files.length > 0 ? [`Expected to change: ${task.files.join(", ")}`] : []),
    ...(rules ? ["## Constraints of the plan", rules] : []),
  ];
  return {
    title: clip(first, 200),
    text: clip(`${parts.join("\n\n")}\n`, 15_000),
    criteria: listCriteria(task),
  };
}

const listCriteria = ({ criteria }: Described): string[] =>
  criteria.map(({ given, when, then }) => clip(`Given ${given}, when ${when}, then ${then}`, 2000));

const copyScope = (scope: Readonly<Record<"in" | "out" | "do_not_touch", readonly string[]>>) => ({
  in: [...scope.in],
  out: [...scope.out],
  do_not_touch: [...scope.do_not_touch],
});
