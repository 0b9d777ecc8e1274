// pairflow plan list: every plan with its state, those that nobody has committed to first.
import { findRuns } from "../../../app/execute/runs.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { openPlans } from "../../../app/plans/change.ts";
import { listPlans } from "../../../app/plans/list.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { ListedPlan } from "../../../core/views/page/plans.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { renderPlanList, type ShownPlan } from "../../render/plan.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const planList = defineVerb({
  words: "plan list",
  about: "List the plans of this repository, uncommitted ones first",
  access: "operator",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const listed = await listPlans(openPlans(repo));
    const plans = await Promise.all(listed.map((plan) => addRun(world, repo, plan)));
    return { text: renderPlanList(plans, buildLook(shell, world.clock.now())), json: { plans } };
  },
});

/** Where a plan is executed, or was, its run says more than its tasks. */
async function addRun(world: RecordWorld, repo: string, plan: ListedPlan): Promise<ShownPlan> {
  const { newest } = plan.state === "committed" ? await findRuns(world, repo, plan.slug) : {};
  if (!newest) return { ...plan, run: null };
  const run = { bubble: newest.bubbleId, state: newest.lifecycle };
  return { ...plan, run, next: `pairflow plan status ${plan.slug}` };
}
