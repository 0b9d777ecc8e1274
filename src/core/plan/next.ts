// What a person types next for a plan that no run works on, and whether there is enough in it to commit to.
import type { Plan, PlanTasks } from "../model/plan.ts";

/** The parts without which nobody could execute it, by the names they have in the document. */
export function listMissingPlanParts({ mission, execution }: Pick<Plan, "mission" | "execution">): string[] {
  return [...(mission.trim() === "" ? ["Mission"] : []), ...(execution.trim() === "" ? ["Execution"] : [])];
}

/** From writing it over committing to it and confirming its tasks to executing it. */
export function suggestNextCommand(
  plan: Pick<Plan, "slug" | "committed" | "mission" | "execution">,
  tasks?: Pick<PlanTasks, "confirmed_at">,
): string {
  const { slug, committed } = plan;
  if (!committed)
    return `pairflow ${listMissingPlanParts(plan).length > 0 ? "plan edit" : "promote"} ${slug}`;
  return `pairflow ${tasks?.confirmed_at === undefined ? "tasks" : "execute"} ${slug}`;
}
