// pairflow tasks: the tasks of a committed plan, checked, shown, and confirmed by a person.

import { planTask } from "../../../app/execute/payload.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { openPlans, requireCommittedPlan } from "../../../app/plans/change.ts";
import { resolveTasks } from "../../../app/plans/tasks.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { Plan, PlanTasks } from "../../../core/model/plan.ts";
import { pickPlanDocument } from "../../../core/plan/document.ts";
import { getTasksFile, keepTasks, renderTasksHeading } from "../../plan/confirm-tasks.ts";
import { requireSlug } from "../../plan/content.ts";
import { takeTurn } from "../../plan/turn.ts";
import { renderTasks } from "../../render/plan.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell, type Values } from "../../verb/declaration.ts";

const tasksFlags = {
  repo: bubbleFlags.repo,
  file: { kind: "text", value: "<tasks.json>", about: "own tasks instead of those the plan spells" },
  planner: { kind: "switch", about: "let the planner split the plan, and look at what it proposes" },
  agent: {
    kind: "list",
    value: "<role>=<agent>",
    namesBehind: "agent",
    about: "with --planner: the agent, as planner=claude",
  },
  again: { kind: "switch", about: "derive them again from the plan, whatever was kept" },
  yes: { kind: "switch", about: "confirm them without being asked" },
} as const;

export const tasks = defineVerb({
  words: "tasks",
  about: "Make the tasks of a committed plan, check them and let a person confirm them",
  access: "operator",
  takes: "<slug>",
  takesName: "plan",
  example: "pairflow tasks add-discounts",
  flags: tasksFlags,
  async run(shell, { flags, words }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const plans = openPlans(repo);
    const plan = await requireCommittedPlan(plans, requireSlug("tasks", words));
    const { file, again, yes } = flags;
    const stopped = flags.planner ? await askPlanner(shell, repo, plan, flags) : undefined;
    if (stopped) return stopped;
    const found = await resolveTasks(plans, plan, {
      again: again && !flags.planner,
      cwd: shell.cwd,
      ...(file ? { file } : {}),
    });
    const kept = await keepTasks(shell, plans, plan, {
      found,
      yes,
      now: createRecordWorld(repo).clock.now(),
    });
    return { text: renderClosing(plan.slug, kept, shell), json: { slug: plan.slug, ...kept } };
  },
});

/** The planner's tasks are kept by its own run; undefined when they are there. */
async function askPlanner(
  shell: Shell,
  repo: string,
  plan: Plan,
  flags: Values<typeof tasksFlags>,
): Promise<CommandResult | undefined> {
  if (flags.file !== undefined)
    throw buildUsageError(
      "usage.contradiction",
      "--file and --planner contradict each other",
      "leave one of them out",
    );
  const { slug } = plan;
  const { ended, result } = await takeTurn(shell, {
    ...{ repo, id: `tasks-${slug}`, workflow: "plan-tasks", task: planTask(plan), agents: flags.agent },
    again: `pairflow tasks ${slug} --planner`,
    yes: flags.yes,
    payload: { slug, plan_slug: slug, papers: { plan: pickPlanDocument(plan) } },
  });
  return ended ? undefined : result;
}

function renderClosing(slug: string, kept: PlanTasks, shell: Shell): string {
  const next = kept.confirmed_at
    ? ["Confirmed", `Next: pairflow execute ${slug}`]
    : [
        "Not confirmed yet",
        `Next: pairflow tasks ${slug} --yes   confirms them`,
        `Or change ${getTasksFile(slug)}; pairflow tasks ${slug}   checks them again`,
        `Or let an agent split the plan: pairflow tasks ${slug} --planner`,
      ];
  const shown =
    shell.interactive && !kept.confirmed_at ? [] : [renderTasksHeading(kept), ...renderTasks(kept.tasks)];
  return [...shown, ...next].join("\n");
}
