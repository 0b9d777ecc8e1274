// Changing an uncommitted plan: by settings, by a file, or in the person's own editor.
import { join } from "node:path";
import { openInEditor } from "../../app/plans/editor.ts";
import { planNamed } from "../../app/plans/named.ts";
import { edit, openPlans, refuseFrozen } from "../../app/plans/plans.ts";
import type { Plan } from "../../core/model/plan.ts";
import type { PlanDocument } from "../../core/plan/document.ts";
import { missingParts, nextCommand } from "../../core/plan/next.ts";
import { usage } from "../verb/outcome.ts";
import type { Result, Shell } from "../verb/verb.ts";

/** Without a change: the plan's own plan.md before the editor. */
export async function editPlan(
  shell: Shell,
  repo: string,
  slug: string,
  change?: (document: PlanDocument) => PlanDocument,
): Promise<Result> {
  const plans = openPlans(repo);
  if (change) return edited(await edit(plans, slug, change));
  refuseFrozen(await planNamed(plans, slug));
  const file = plans.path(slug, "plan.md");
  if (!shell.interactive || shell.json)
    throw usage(
      "plan.no-terminal",
      "nobody is here to write in an editor",
      `pairflow plan edit ${slug} --set mission="…"`,
      [`or change ${file} by hand`],
    );
  await openInEditor(join(repo, file), shell.env);
  return edited(await planNamed(plans, slug));
}

export function edited(plan: Plan, what = "plan.json and plan.md say the same"): Result {
  const { slug } = plan;
  const next = plan.committed ? `pairflow plan show ${slug}` : nextCommand(plan);
  const missing = plan.committed ? [] : missingParts(plan);
  const lacks = missing.length > 0 ? `; ${missing.join(" and ")} still empty` : "";
  return { text: `${slug}: ${what}${lacks}\nNext: ${next}`, json: { plan } };
}
