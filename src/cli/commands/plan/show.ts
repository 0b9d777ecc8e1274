// pairflow plan show: one plan, and what Pairflow makes of it.
import { findRuns } from "../../../app/execute/runs.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { listTopLevel, openPlans } from "../../../app/plans/change.ts";
import { requirePlan } from "../../../app/plans/find.ts";
import { findSuccessor } from "../../../app/plans/list.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { Plan, PlanTasks } from "../../../core/model/plan.ts";
import { sortConstraints } from "../../../core/plan/constraints.ts";
import { suggestNextCommand } from "../../../core/plan/next.ts";
import { parseSuccessCriteria } from "../../../core/plan/success.ts";
import { requireSlug } from "../../plan/content.ts";
import { renderPlanView } from "../../render/plan.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const planShow = defineVerb({
  words: "plan show",
  about: "Show a plan with its success criteria, sorted constraints, tasks and amendments",
  access: "operator",
  takes: "<slug>",
  takesName: "plan",
  example: "pairflow plan show add-discounts",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags, words }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const plans = openPlans(repo);
    const plan = await requirePlan(plans, requireSlug("plan show", words));
    const topLevel = listTopLevel(repo);
    const tasks = await plans.readTasks(plan.slug);
    const amendments = await plans.amendments(plan.slug);
    const heir = await findSuccessor(plans, plan.slug);
    const next = heir ? `pairflow plan show ${heir}` : await describeNext(repo, plan, tasks);
    const { scope, prose } = sortConstraints(plan.constraints, topLevel);
    return {
      text: renderPlanView({
        ...{ plan, topLevel, amendments, next },
        ...(tasks ? { tasks } : {}),
        ...(heir ? { supersededBy: heir } : {}),
      }),
      json: {
        ...{ plan, success_criteria: parseSuccessCriteria(plan), scope, prose },
        ...{ tasks: tasks ?? null, amendments, superseded_by: heir ?? null },
      },
    };
  },
});

/** Of a plan that has a run, the run tells what is next. */
async function describeNext(repo: string, plan: Plan, tasks: PlanTasks | undefined): Promise<string> {
  const { newest } = plan.committed ? await findRuns(createRecordWorld(repo), repo, plan.slug) : {};
  return newest ? `pairflow plan status ${plan.slug}` : suggestNextCommand(plan, tasks);
}
