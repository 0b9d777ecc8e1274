// How far a plan is: its newest run as a tree, and what to type next.
import { readTree } from "../../app/execute/read-tree.ts";
import { findRuns } from "../../app/execute/runs.ts";
import { openPlans } from "../../app/plans/change.ts";
import { requirePlan } from "../../app/plans/find.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import type { Plan, PlanTasks } from "../../core/model/plan.ts";
import { suggestNextCommand } from "../../core/plan/next.ts";
import { listOpenNodes, type TreeNode } from "../../core/views/tree/run.ts";
import { renderTree } from "../render/bubble/tree.ts";
import { formatCount } from "../render/table.ts";
import { buildLook } from "../terminal/style.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";

export async function planStatusOf(shell: Shell, repo: string, slug: string): Promise<CommandResult> {
  const world = createRecordWorld(repo);
  const { newest } = await findRuns(world, repo, slug);
  if (newest) {
    const tree = await readTree(world, newest.bubbleId);
    const text = renderTree(tree, buildLook(shell, world.clock.now()));
    return {
      text: [text, ...renderNext(tree, slug)].join("\n"),
      json: { slug, bubble: newest.bubbleId, tree },
    };
  }
  const plans = openPlans(repo);
  const plan = await requirePlan(plans, slug);
  const tasks = await plans.readTasks(slug);
  return { text: renderNotRun(plan, tasks), json: { slug, bubble: null, tree: null } };
}

/** Questions have their command in the tree; what is left is the signature, or somebody who drives. */
function renderNext(tree: TreeNode, slug: string): string[] {
  const { lifecycle, bubble } = tree;
  if (lifecycle === "READY_FOR_APPROVAL") return [`Next: pairflow bubble approve --id ${bubble}`];
  if (lifecycle === "APPROVED_FOR_COMMIT") return [`Next: pairflow bubble commit --id ${bubble}`];
  const isLeft = lifecycle === "CREATED" || lifecycle === "RUNNING" || lifecycle === "PREPARING_WORKSPACE";
  const isAsked = listOpenNodes(tree).length > 0;
  return isLeft && !tree.driven && !isAsked ? [`Next: pairflow execute ${slug}   continues with it`] : [];
}

function renderNotRun(plan: Plan, tasks: PlanTasks | undefined): string {
  const { slug, title, committed } = plan;
  const confirmed = tasks?.confirmed_at === undefined ? "not confirmed" : "confirmed";
  const numbered = tasks ? `${formatCount(tasks.tasks.length, "task")}, ${confirmed}` : "no tasks yet";
  return [
    `${slug}   ${title}   ${committed ? numbered : "not committed"}; never executed`,
    `Next: ${suggestNextCommand(plan, tasks)}`,
  ].join("\n");
}
