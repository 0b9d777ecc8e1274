// What is said when a plan has been committed: what it will be judged by, what was made of its constraints, what is next.
import { join } from "node:path";
import { listTopLevel } from "../../app/plans/change.ts";
import type { Plan } from "../../core/model/plan.ts";
import { sortConstraints } from "../../core/plan/constraints.ts";
import { parseSuccessCriteria } from "../../core/plan/success.ts";
import { parseExecutionTasks } from "../../core/plan/tasks/execution.ts";
import { renderConstraintLines, renderCriteria } from "../render/plan.ts";
import { shortenPath } from "../terminal/style.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

export function buildCommittedResult({ cwd }: Shell, repo: string, plan: Plan): CommandResult {
  const folder = shortenPath(join(repo, ".pairflow", "plans", plan.slug), cwd);
  const topLevel = listTopLevel(repo);
  const { scope, prose } = sortConstraints(plan.constraints, topLevel);
  const text = [
    `Committed ${plan.slug}: the plan does not change any more`,
    ...renderCriteria(plan),
    ...renderConstraintLines(plan, topLevel),
    "",
    `Next: pairflow tasks ${plan.slug}${parseExecutionTasks(plan).length > 0 ? "" : " --planner"}`,
    `Next: git add ${folder} && git commit -m "Plan ${plan.slug}"   (for people; bubbles do not need it)`,
  ].join("\n");
  return { text, json: { plan, success_criteria: parseSuccessCriteria(plan), scope, prose } };
}
