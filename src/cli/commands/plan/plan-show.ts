// pairflow plan show: one plan, and what Pairflow makes of it.
import { runsOf } from "../../../app/execute/runs.ts";
import { repoOf } from "../../../app/host/locate.ts";
import { supersededBy } from "../../../app/plans/list.ts";
import { planNamed } from "../../../app/plans/named.ts";
import { openPlans, topLevelEntries } from "../../../app/plans/plans.ts";
import { recordWorld } from "../../../app/record/world.ts";
import type { Plan, PlanTasks } from "../../../core/model/plan.ts";
import { sortConstraints } from "../../../core/plan/constraints.ts";
import { nextCommand } from "../../../core/plan/next.ts";
import { successCriteria } from "../../../core/plan/success.ts";
import { slugOf } from "../../plan/content.ts";
import { renderPlanView } from "../../render/plan.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const planShow = verb({
  words: "plan show",
  about: "Show a plan with its success criteria, sorted constraints, tasks and amendments",
  access: "operator",
  takes: "<slug>",
  example: "pairflow plan show add-discounts",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags, words }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const plans = openPlans(repo);
    const plan = await planNamed(plans, slugOf("plan show", words));
    const topLevel = topLevelEntries(repo);
    const tasks = await plans.readTasks(plan.slug);
    const amendments = await plans.amendments(plan.slug);
    const heir = await supersededBy(plans, plan.slug);
    const next = heir ? `pairflow plan show ${heir}` : await nextOf(repo, plan, tasks);
    const { scope, prose } = sortConstraints(plan.constraints, topLevel);
    return {
      text: renderPlanView({
        ...{ plan, topLevel, amendments, next },
        ...(tasks ? { tasks } : {}),
        ...(heir ? { supersededBy: heir } : {}),
      }),
      json: {
        ...{ plan, success_criteria: successCriteria(plan), scope, prose },
        ...{ tasks: tasks ?? null, amendments, superseded_by: heir ?? null },
      },
    };
  },
});

/** Of a plan that has a run, the run tells what is next. */
async function nextOf(repo: string, plan: Plan, tasks: PlanTasks | undefined): Promise<string> {
  const { newest } = plan.committed ? await runsOf(recordWorld(repo), repo, plan.slug) : {};
  return newest ? `pairflow plan status ${plan.slug}` : nextCommand(plan, tasks);
}
