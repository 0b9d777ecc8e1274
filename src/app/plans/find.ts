// Finding a plan by the name a person typed.
import type { PlanFiles } from "../../adapters/plans/files.ts";
import type { Plan } from "../../core/model/plan.ts";
import { refuse } from "../../core/model/refusal.ts";
import { isSlug } from "../../core/plan/slug.ts";
import { suggestWord } from "../../core/text/nearest.ts";

/** The plan of that slug; refuses when there is none. */
export async function requirePlan(plans: PlanFiles, slug: string): Promise<Plan> {
  const plan = isSlug(slug) ? await plans.read(slug) : undefined;
  if (plan) return plan;
  const near = suggestWord(slug, await plans.list());
  throw refuse("plan.unknown", `there is no plan ${slug}${near}`, "pairflow plan list");
}
