// Changing an uncommitted plan: by settings, by a file, or in the person's own editor.
import { join } from "node:path";
import { buildUsageError } from "../../app/host/usage.ts";
import { edit, openPlans, refuseFrozenPlan } from "../../app/plans/change.ts";
import { openInEditor } from "../../app/plans/editor.ts";
import { requirePlan } from "../../app/plans/find.ts";
import type { Plan } from "../../core/model/plan.ts";
import type { PlanDocument } from "../../core/plan/document.ts";
import { listMissingPlanParts, suggestNextCommand } from "../../core/plan/next.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

/** Without a change: the plan's own plan.md before the editor. */
export async function editPlan(
  shell: Shell,
  repo: string,
  slug: string,
  change?: (document: PlanDocument) => PlanDocument,
): Promise<CommandResult> {
  const plans = openPlans(repo);
  if (change) return buildEditedResult(await edit(plans, slug, change));
  refuseFrozenPlan(await requirePlan(plans, slug));
  const file = plans.path(slug, "plan.md");
  if (!shell.interactive || shell.json)
    throw buildUsageError(
      "plan.no-terminal",
      "nobody is here to write in an editor",
      `pairflow plan edit ${slug} --set mission="…"`,
      [`or change ${file} by hand`],
    );
  await openInEditor(join(repo, file), shell.env);
  return buildEditedResult(await requirePlan(plans, slug));
}

export function buildEditedResult(plan: Plan, what = "plan.json and plan.md say the same"): CommandResult {
  const { slug } = plan;
  const next = plan.committed ? `pairflow plan show ${slug}` : suggestNextCommand(plan);
  const missing = plan.committed ? [] : listMissingPlanParts(plan);
  const lacks = missing.length > 0 ? `; ${missing.join(" and ")} still empty` : "";
  return { text: `${slug}: ${what}${lacks}\nNext: ${next}`, json: { plan } };
}
