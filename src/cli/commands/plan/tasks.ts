// pairflow tasks: the tasks of a committed plan, checked, shown, and confirmed by a person.

import { planTask } from "../../../app/execute/wanted.ts";
import { repoOf } from "../../../app/host/locate.ts";
import { committedPlan, openPlans } from "../../../app/plans/plans.ts";
import { tasksFor } from "../../../app/plans/tasks.ts";
import { recordWorld } from "../../../app/record/world.ts";
import type { Plan, PlanTasks } from "../../../core/model/plan.ts";
import { documentOf } from "../../../core/plan/document.ts";
import { keepTasks, tasksFile, tasksHeading } from "../../plan/confirm-tasks.ts";
import { slugOf } from "../../plan/content.ts";
import { takeTurn } from "../../plan/turn.ts";
import { taskLines } from "../../render/plan.ts";
import { usage } from "../../verb/outcome.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { type Result, type Shell, type Values, verb } from "../../verb/verb.ts";

const tasksFlags = {
  repo: bubbleFlags.repo,
  file: { kind: "text", value: "<tasks.json>", about: "own tasks instead of those the plan spells" },
  planner: { kind: "switch", about: "let the planner split the plan, and look at what it proposes" },
  agent: { kind: "list", value: "<role>=<agent>", about: "with --planner: the agent, as planner=claude" },
  again: { kind: "switch", about: "derive them again from the plan, whatever was kept" },
  yes: { kind: "switch", about: "confirm them without being asked" },
} as const;

export const tasks = verb({
  words: "tasks",
  about: "Make the tasks of a committed plan, check them and let a person confirm them",
  access: "operator",
  takes: "<slug>",
  example: "pairflow tasks add-discounts",
  flags: tasksFlags,
  async run(shell, { flags, words }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const plans = openPlans(repo);
    const plan = await committedPlan(plans, slugOf("tasks", words));
    const { file, again, yes } = flags;
    const stopped = flags.planner ? await askPlanner(shell, repo, plan, flags) : undefined;
    if (stopped) return stopped;
    const found = await tasksFor(plans, plan, {
      again: again && !flags.planner,
      cwd: shell.cwd,
      ...(file ? { file } : {}),
    });
    const kept = await keepTasks(shell, plans, plan, { found, yes, now: recordWorld(repo).clock.now() });
    return { text: closing(plan.slug, kept, shell), json: { slug: plan.slug, ...kept } };
  },
});

/** The planner's tasks are kept by its own run; undefined when they are there. */
async function askPlanner(
  shell: Shell,
  repo: string,
  plan: Plan,
  flags: Values<typeof tasksFlags>,
): Promise<Result | undefined> {
  if (flags.file !== undefined)
    throw usage("usage.contradiction", "--file and --planner contradict each other", "leave one of them out");
  const { slug } = plan;
  const { ended, result } = await takeTurn(shell, {
    ...{ repo, id: `tasks-${slug}`, workflow: "plan-tasks", task: planTask(plan), agents: flags.agent },
    again: `pairflow tasks ${slug} --planner`,
    yes: flags.yes,
    payload: { slug, plan_slug: slug, papers: { plan: documentOf(plan) } },
  });
  return ended ? undefined : result;
}

function closing(slug: string, kept: PlanTasks, shell: Shell): string {
  const next = kept.confirmed_at
    ? ["Confirmed", `Next: pairflow execute ${slug}`]
    : [
        "Not confirmed yet",
        `Next: pairflow tasks ${slug} --yes   confirms them`,
        `Or change ${tasksFile(slug)}; pairflow tasks ${slug}   checks them again`,
        `Or let an agent split the plan: pairflow tasks ${slug} --planner`,
      ];
  const shown = shell.interactive && !kept.confirmed_at ? [] : [tasksHeading(kept), ...taskLines(kept.tasks)];
  return [...shown, ...next].join("\n");
}
