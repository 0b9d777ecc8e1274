// What the keeping of plans refuses, each with the way out.
import type { Plan } from "../../core/model/plan.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";

const suggestAnotherPlan = (slug: string): string => `pairflow plan --supersede ${slug}`;

export function refuseFrozen(slug: string, changes: readonly string[]): Refusal {
  return refuse(
    "plan.frozen",
    `the plan ${slug} is committed and does not change any more`,
    `pairflow plan edit ${slug} --put-back`,
    [...changes, `to plan something else instead: ${suggestAnotherPlan(slug)}`],
  );
}

export function refuseFrozenSave(slug: string, parts: readonly string[]): Refusal {
  return refuse(
    "plan.frozen",
    `the plan ${slug} is committed and does not change any more (${parts.join(", ")})`,
    suggestAnotherPlan(slug),
  );
}

export function refuseTwoEdits(slug: string, parts: readonly string[], isNew: boolean): Refusal {
  const why = isNew
    ? `plan.json and plan.md of ${slug} do not say the same`
    : `plan.json and plan.md of ${slug} were both edited, each in another way`;
  return refuse("plan.two-edits", `${why}: ${parts.join(", ")}`, `pairflow plan edit ${slug} --use md`, [
    `if plan.json counts: pairflow plan edit ${slug} --use json`,
  ]);
}

/** This machine and another one have changed it, each in another way. */
export function refuseApart(slug: string, parts: readonly string[], { committed }: Plan): Refusal {
  const what = `${slug} was changed here and on another machine, each in another way: ${parts.join(", ")}`;
  const putBack = `pairflow plan edit ${slug} --put-back`;
  if (committed) return refuse("plan.two-edits", `${what}; the other one is committed`, putBack);
  return refuse("plan.two-edits", what, putBack, [
    `that takes the other machine's; if what stands here counts: pairflow plan edit ${slug} --use json`,
  ]);
}

export const refuseTasksApart = (slug: string): Refusal =>
  refuse(
    "plan.two-edits",
    `the tasks of ${slug} were changed here and on another machine, each in another way`,
    `pairflow tasks ${slug} --again`,
    [`or say which count: pairflow tasks ${slug} --file .pairflow/plans/${slug}/tasks.json`],
  );

export function refuseFixedFields(slug: string, fields: readonly string[]): Refusal {
  const isCommit = fields.includes("committed");
  return refuse(
    "plan.fixed-field",
    `.pairflow/plans/${slug}/plan.json: ${fields.join(", ")} cannot be changed by hand`,
    isCommit
      ? `pairflow plan edit ${slug} --put-back && pairflow promote ${slug}`
      : `pairflow plan edit ${slug} --put-back`,
  );
}

export function refuseWrongFolder(folder: string, slug: string): Refusal {
  return refuse(
    "plan.wrong-folder",
    `.pairflow/plans/${folder}/plan.json says it is the plan ${slug}`,
    `mv .pairflow/plans/${folder} .pairflow/plans/${slug}`,
    [`a copy of a plan is made by: pairflow explore --from ${slug}`],
  );
}

export const refuseUnknownPlan = (slug: string): Refusal =>
  refuse("plan.unknown", `there is no plan ${slug}`, "pairflow plan list");

export const refuseNothingKnown = (slug: string): Refusal =>
  refuse(
    "plan.not-known",
    `what ${slug} was like before is not written down here (.in-step.json is missing)`,
    `git checkout -- .pairflow/plans/${slug}`,
  );
