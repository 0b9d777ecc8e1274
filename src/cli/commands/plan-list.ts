// pairflow plan list: every plan with its state, those that nobody has committed to first.
import { repoOf } from "../../app/locate.ts";
import { listPlans } from "../../app/plans/list.ts";
import { openPlans } from "../../app/plans.ts";
import { recordWorld } from "../../app/record-world.ts";
import { renderPlanList } from "../render/plan.ts";
import { lookOf } from "../render/style.ts";
import { bubbleFlags } from "../spoken-flags.ts";
import { verb } from "../verb.ts";

export const planList = verb({
  words: "plan list",
  about: "List the plans of this repository, uncommitted ones first",
  access: "operator",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const plans = await listPlans(openPlans(repo));
    return { text: renderPlanList(plans, lookOf(shell, recordWorld(repo).clock.now())), json: { plans } };
  },
});
