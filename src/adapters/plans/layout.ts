// The files of one plan: what they are called, and how a plan is written into them.
import { createHash } from "node:crypto";
import type { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { PlanDocument } from "../../core/plan/document.ts";
import { renderPlan } from "../../core/plan/markdown.ts";
import { isSlug } from "../../core/plan/slug.ts";

export const plansFolder = ".pairflow/plans";

export type PlanFile = "plan.json" | "plan.md" | "tasks.json" | "amendments.json" | ".in-step.json";

/** Where a file of a plan is, from the top of the repository. */
export function getPlanFilePath(slug: string, file: PlanFile): string {
  if (!isSlug(slug))
    throw refuse("plan.bad-slug", `${JSON.stringify(slug)} is no name of a plan`, "pairflow plan list");
  return `${plansFolder}/${slug}/${file}`;
}

/** The printed entity, its fields in their order; what is not there yet is left out. */
export function renderPlanJson(plan: Plan): string {
  const { id, slug, title, committed, created_at, committed_at } = plan;
  const { situation, mission, execution, constraints, coordination } = plan;
  const { in: inside, out, do_not_touch } = constraints;
  return serializeJson({
    ...{ id, slug, title, committed, situation, mission, execution },
    constraints: { in: inside, out, do_not_touch },
    ...{ coordination, created_at },
    ...(committed_at === undefined ? {} : { committed_at }),
  });
}

/** A scratch plan shows what belongs into its empty sections. */
export const renderPlanMarkdown = (plan: Plan): string => renderPlan(plan, { guide: !plan.committed });

/** What was confirmed is written down with its hash: tasks that somebody changes afterwards are confirmed no more. */
export function serializeTasks({ confirmed_sha256: _old, ...given }: PlanTasks): string {
  const { plan, from, confirmed_at, tasks } = given;
  return serializeJson({
    ...{ plan, from },
    ...(confirmed_at === undefined ? {} : { confirmed_at, confirmed_sha256: hashTasks(tasks) }),
    tasks,
  });
}

/** The tasks as they count now. */
export function dropStaleConfirmation({ confirmed_at, confirmed_sha256, ...given }: PlanTasks): PlanTasks {
  const isSame = confirmed_at !== undefined && confirmed_sha256 === hashTasks(given.tasks);
  return isSame ? { ...given, confirmed_at } : given;
}

const hashTasks = (tasks: PlanTasks["tasks"]) =>
  createHash("sha256").update(JSON.stringify(tasks)).digest("hex");

export const serializeAmendments = (amendments: readonly Amendment[]): string => serializeJson(amendments);
export const serializeJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The names of the parts in which two documents differ. */
export function listPlanDifferences(one: PlanDocument, other: PlanDocument): string[] {
  const keys = ["title", "situation", "mission", "execution", "constraints", "coordination"] as const;
  return keys.filter(
    (key) => serializeJson(sortConstraintKeys(one[key])) !== serializeJson(sortConstraintKeys(other[key])),
  );
}

/** Constraints with their keys in one order, by any author. */
function sortConstraintKeys(value: PlanDocument["title"] | PlanDocument["constraints"]): unknown {
  return typeof value === "string" ? value : [value.in, value.out, value.do_not_touch];
}

/** The fields no editor changes: who the plan is and whether it is frozen. */
export function listFixedDifferences(one: Plan, other: Plan): string[] {
  const keys = ["id", "slug", "committed", "created_at", "committed_at"] as const;
  return keys.filter((key) => one[key] !== other[key]);
}
