// What is said when a plan has been committed: what it will be judged by, what was made of its constraints, what is next.
import { join } from "node:path";
import { topLevelEntries } from "../../app/plans/plans.ts";
import type { Plan } from "../../core/model/plan.ts";
import { sortConstraints } from "../../core/plan/constraints.ts";
import { successCriteria } from "../../core/plan/success.ts";
import { tasksFromExecution } from "../../core/plan/tasks.ts";
import { constraintLines, criteriaLines } from "../render/plan.ts";
import { nearPath } from "../terminal/style.ts";
import type { Result, Shell } from "../verb/verb.ts";

export function committedResult({ cwd }: Shell, repo: string, plan: Plan): Result {
  const folder = nearPath(join(repo, ".pairflow", "plans", plan.slug), cwd);
  const topLevel = topLevelEntries(repo);
  const { scope, prose } = sortConstraints(plan.constraints, topLevel);
  const text = [
    `Committed ${plan.slug}: the plan does not change any more`,
    ...criteriaLines(plan),
    ...constraintLines(plan, topLevel),
    "",
    `Next: pairflow tasks ${plan.slug}${tasksFromExecution(plan).length > 0 ? "" : " --planner"}`,
    `Next: git add ${folder} && git commit -m "Plan ${plan.slug}"   (for people; bubbles do not need it)`,
  ].join("\n");
  return { text, json: { plan, success_criteria: successCriteria(plan), scope, prose } };
}
