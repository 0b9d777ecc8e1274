// The tasks of a committed plan: kept ones, own ones from a file, or those its numbered lines spell; always checked
// before they are kept.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plan, PlanTasks } from "../../core/model/plan.ts";
import { refuse } from "../../core/model/refusal.ts";
import { checkPlanTasks } from "../../core/plan/tasks/check.ts";
import { parseExecutionTasks } from "../../core/plan/tasks/execution.ts";
import { planReader, readTaskList } from "../files/plan.ts";
import { buildUsageError } from "../host/usage.ts";
import type { PlanFiles } from "./change.ts";

export interface WantedTasks {
  /** Own tasks: the path of a JSON file. */
  readonly file?: string;
  /** Derives them again, whatever is kept. */
  readonly again?: boolean;
  readonly cwd: string;
}

/** The tasks that count for a plan now; nothing is written. Refuses those that cannot be executed. */
export async function resolveTasks(plans: PlanFiles, plan: Plan, wanted: WantedTasks): Promise<PlanTasks> {
  const tasks = wanted.file
    ? readOwnTasks(plan, wanted.file, wanted.cwd)
    : await readOrDerive(plans, plan, wanted.again);
  refuseBadTasks(plan, tasks);
  return tasks;
}

async function readOrDerive(plans: PlanFiles, plan: Plan, again = false): Promise<PlanTasks> {
  const before = again ? undefined : await plans.readTasks(plan.slug);
  return before ?? deriveTasks(plan);
}

/** The tasks that the numbered lines of Execution spell. */
export function deriveTasks(plan: Plan): PlanTasks {
  const tasks = parseExecutionTasks(plan);
  if (tasks.length > 0) return { plan: plan.id, from: "execution", tasks };
  throw refuse(
    "plan.no-tasks",
    `Execution of the plan ${plan.slug} has no numbered lines to make tasks of`,
    `pairflow tasks ${plan.slug} --planner`,
    [
      "a planner splits the plan, and you look at what it proposes",
      `or hand in your own: pairflow tasks ${plan.slug} --file tasks.json`,
    ],
  );
}

/** Refuses tasks that cannot be executed, with everything that is wrong with them. */
export function refuseBadTasks(plan: Plan, { tasks }: PlanTasks): void {
  const problems = checkPlanTasks(tasks, plan);
  if (problems.length === 0) return;
  throw refuse(
    "plan.bad-tasks",
    `the tasks of the plan ${plan.slug} cannot be executed as they are`,
    `pairflow tasks ${plan.slug} --planner`,
    [...problems, `or hand in your own: pairflow tasks ${plan.slug} --file tasks.json`],
  );
}

/** A file of tasks: the whole of tasks.json, or only its list. A confirmation in another repository is none here. */
function readOwnTasks(plan: Plan, file: string, cwd: string): PlanTasks {
  const text = readGiven(file, cwd);
  const isList = text.trimStart().startsWith("[");
  const { confirmed_at: _, ...tasks } = isList
    ? readTaskList(text, file, plan.id)
    : planReader.tasks(text, file);
  if (tasks.plan === plan.id || tasks.plan === plan.slug) return { ...tasks, plan: plan.id };
  throw buildUsageError(
    "plan.other-tasks",
    `${file} holds the tasks of the plan ${tasks.plan}, not of ${plan.slug}`,
    `"plan": "${plan.id}"`,
  );
}

export function readGiven(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    throw buildUsageError("plan.unreadable", `${file} cannot be read: ${why}`, `ls -l ${file}`);
  }
}
