// How far a plan is: its newest run as a tree, and what to type next.
import { readTree } from "../../app/execute/read-tree.ts";
import { runsOf } from "../../app/execute/runs.ts";
import { planNamed } from "../../app/plans/named.ts";
import { openPlans } from "../../app/plans/plans.ts";
import { recordWorld } from "../../app/record/world.ts";
import type { Plan, PlanTasks } from "../../core/model/plan.ts";
import { nextCommand } from "../../core/plan/next.ts";
import { openNodes, type TreeNode } from "../../core/views/tree.ts";
import { count } from "../render/table.ts";
import { renderTree } from "../render/tree.ts";
import { lookOf } from "../terminal/style.ts";
import type { Result, Shell } from "../verb/verb.ts";

export async function planStatusOf(shell: Shell, repo: string, slug: string): Promise<Result> {
  const world = recordWorld(repo);
  const { newest } = await runsOf(world, repo, slug);
  if (newest) {
    const tree = await readTree(world, newest.bubbleId);
    const text = renderTree(tree, lookOf(shell, world.clock.now()));
    return {
      text: [text, ...nextLines(tree, slug)].join("\n"),
      json: { slug, bubble: newest.bubbleId, tree },
    };
  }
  const plans = openPlans(repo);
  const plan = await planNamed(plans, slug);
  const tasks = await plans.readTasks(slug);
  return { text: notRun(plan, tasks), json: { slug, bubble: null, tree: null } };
}

/** Questions have their command in the tree; what is left is the signature, or somebody who drives. */
function nextLines(tree: TreeNode, slug: string): string[] {
  const { lifecycle, bubble } = tree;
  if (lifecycle === "READY_FOR_APPROVAL") return [`Next: pairflow bubble approve --id ${bubble}`];
  if (lifecycle === "APPROVED_FOR_COMMIT") return [`Next: pairflow bubble commit --id ${bubble}`];
  const isLeft = lifecycle === "CREATED" || lifecycle === "RUNNING" || lifecycle === "PREPARING_WORKSPACE";
  const isAsked = openNodes(tree).length > 0;
  return isLeft && !tree.driven && !isAsked ? [`Next: pairflow execute ${slug}   continues with it`] : [];
}

function notRun(plan: Plan, tasks: PlanTasks | undefined): string {
  const { slug, title, committed } = plan;
  const confirmed = tasks?.confirmed_at === undefined ? "not confirmed" : "confirmed";
  const numbered = tasks ? `${count(tasks.tasks.length, "task")}, ${confirmed}` : "no tasks yet";
  return [
    `${slug}   ${title}   ${committed ? numbered : "not committed"}; never executed`,
    `Next: ${nextCommand(plan, tasks)}`,
  ].join("\n");
}
