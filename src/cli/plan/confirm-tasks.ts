// Shows the tasks of a plan; the person at the terminal, or --yes, confirms them.
import { join } from "node:path";
import type { PlanFiles } from "../../app/plans/change.ts";
import type { Plan, PlanTasks } from "../../core/model/plan.ts";
import { renderTasks } from "../render/plan.ts";
import { formatCount } from "../render/table.ts";
import { askKey } from "../terminal/ask.ts";
import type { Shell } from "../verb/declaration.ts";

/** Keeps the tasks; with `confirmed_at` when somebody has confirmed them, now or before. */
export async function keepTasks(
  shell: Shell,
  plans: PlanFiles,
  plan: Plan,
  { found, yes, now }: { readonly found: PlanTasks; readonly yes: boolean; readonly now: string },
): Promise<PlanTasks> {
  const isConfirmed = found.confirmed_at !== undefined || yes || (await askForConfirmation(shell, found));
  const kept = isConfirmed ? { ...found, confirmed_at: found.confirmed_at ?? now } : found;
  await plans.saveTasks(plan.slug, kept);
  return kept;
}

/** Shows them to the person at the terminal; without one nothing is confirmed. */
async function askForConfirmation(shell: Shell, found: PlanTasks): Promise<boolean> {
  if (!shell.interactive || shell.json) return false;
  shell.say([renderTasksHeading(found), ...renderTasks(found.tasks)].join("\n"));
  return (await askKey("Use these tasks? [Y/n] ", ["y", "n"], "y")) === "y";
}

export const renderTasksHeading = ({ tasks: list, from }: PlanTasks): string =>
  `${formatCount(list.length, "task")} ${from === "execution" ? "from the numbered lines of Execution" : "handed in"}`;

export const getTasksFile = (slug: string): string => join(".pairflow", "plans", slug, "tasks.json");
