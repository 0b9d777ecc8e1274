// The tasks of a plan before a person: shown, and confirmed by whoever sits here or by --yes.
import { join } from "node:path";
import type { PlanFiles } from "../../app/plans/plans.ts";
import type { Plan, PlanTasks } from "../../core/model/plan.ts";
import { taskLines } from "../render/plan.ts";
import { count } from "../render/table.ts";
import { askKey } from "../terminal/ask.ts";
import type { Shell } from "../verb/verb.ts";

/** Keeps the tasks; with `confirmed_at` when somebody has confirmed them, now or before. */
export async function keepTasks(
  shell: Shell,
  plans: PlanFiles,
  plan: Plan,
  { found, yes, now }: { readonly found: PlanTasks; readonly yes: boolean; readonly now: string },
): Promise<PlanTasks> {
  const isConfirmed = found.confirmed_at !== undefined || yes || (await confirms(shell, found));
  const kept = isConfirmed ? { ...found, confirmed_at: found.confirmed_at ?? now } : found;
  await plans.saveTasks(plan.slug, kept);
  return kept;
}

/** Shows them to whoever sits here; nobody there confirms nothing. */
async function confirms(shell: Shell, found: PlanTasks): Promise<boolean> {
  if (!shell.interactive || shell.json) return false;
  shell.say([tasksHeading(found), ...taskLines(found.tasks)].join("\n"));
  return (await askKey("Use these tasks? [Y/n] ", ["y", "n"], "y")) === "y";
}

export const tasksHeading = ({ tasks: list, from }: PlanTasks): string =>
  `${count(list.length, "task")} ${from === "execution" ? "from the numbered lines of Execution" : "handed in"}`;

export const tasksFile = (slug: string): string => join(".pairflow", "plans", slug, "tasks.json");
