// pairflow execute: a committed plan, task by task in bubbles of their own, up to one approval.

import {
  buildExecutePayload,
  buildPlanScope,
  listPlanCriteria,
  planTask,
  planWorkflow,
} from "../../../app/execute/payload.ts";
import { findRuns, openRun } from "../../../app/execute/runs.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { readPayload } from "../../../app/making/payload.ts";
import { listTopLevel, openPlans, requireCommittedPlan } from "../../../app/plans/change.ts";
import { findSuccessor } from "../../../app/plans/list.ts";
import { resolveTasks } from "../../../app/plans/tasks.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { createWorld } from "../../../app/world/world.ts";
import type { Plan, PlanTasks } from "../../../core/model/plan.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { findNamedTests } from "../../../core/plan/success.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { makeBubbleHere } from "../../new-bubble/new-bubble.ts";
import { keepTasks } from "../../plan/confirm-tasks.ts";
import { requireSlug } from "../../plan/content.ts";
import { refuseExecuted } from "../../plan/executed.ts";
import { continuePlan } from "../../plan/run.ts";
import { checkParallel, parallelFlag, runFlags } from "../../plan/run-flags.ts";
import { planStatusOf } from "../../plan/status.ts";
import { type CommandResult, defineVerb, type Shell, type Values } from "../../verb/declaration.ts";

const executeFlags = {
  parallel: parallelFlag,
  ...runFlags,
  status: { kind: "switch", about: "only show how far it is; the same as plan status" },
  again: { kind: "switch", about: "once more, although it was executed and committed" },
  ...newBubbleFlags,
  yes: { kind: "switch", about: "take the tasks and the detected test commands without asking" },
} as const;

export const execute = defineVerb({
  words: "execute",
  about:
    "Execute a committed plan: each task in a bubble of its own, side by side where allowed, one approval",
  access: "operator",
  takes: "<slug>",
  takesName: "plan",
  example: "pairflow execute add-discounts --parallel 3",
  flags: executeFlags,
  async run(shell, { flags, words }) {
    const slug = requireSlug("execute", words);
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    if (flags.status) return planStatusOf(shell, repo, slug);
    const going = { repo, slug, detach: flags.detach, yes: flags.yes, again: `pairflow execute ${slug}` };
    const runs = await findRuns(createRecordWorld(repo), repo, slug);
    const open = openRun(runs);
    if (open) return continuePlan(shell, { ...going, bubble: open.bubbleId });
    if (runs.newest?.lifecycle === "DONE" && !flags.again)
      throw refuseExecuted(slug, runs.newest, [`to execute it once more: pairflow execute ${slug} --again`]);
    const made = await makeRun(shell, flags, { repo, slug, id: runs.free });
    const bubble = made.id ?? (await findBegunMeanwhile(repo, slug, made));
    return bubble === undefined ? made : continuePlan(shell, { ...going, bubble });
  },
});

/** Somebody has typed the same at the same moment: it is one run, and both watch it. */
async function findBegunMeanwhile(
  repo: string,
  slug: string,
  { refusal }: CommandResult,
): Promise<string | undefined> {
  if (refusal?.code !== "bubble.exists") return undefined;
  return openRun(await findRuns(createRecordWorld(repo), repo, slug))?.bubbleId;
}

interface Wanted {
  readonly repo: string;
  readonly slug: string;
  readonly id: string;
}

/** The parent bubble: its id, or why there is none. */
async function makeRun(
  shell: Shell,
  flags: Values<typeof executeFlags>,
  { repo, slug, id }: Wanted,
): Promise<CommandResult & { readonly id?: string }> {
  const parallel = checkParallel(flags.parallel);
  const plans = openPlans(repo);
  const plan = await requireCommittedPlan(plans, slug);
  const heir = await findSuccessor(plans, slug);
  if (heir) throw refuseSuperseded(slug, heir);
  const found = await resolveTasks(plans, plan, { cwd: shell.cwd });
  const now = createRecordWorld(repo).clock.now();
  const kept = await keepTasks(shell, plans, plan, { found, yes: flags.yes, now });
  if (kept.confirmed_at === undefined) throw refuseUnconfirmedTasks(slug);
  const made = await makeBubbleHere(
    shell,
    { ...flags, criterion: [...listPlanCriteria(plan), ...flags.criterion] },
    {
      id,
      workflow: planWorkflow,
      task: planTask(plan),
      startsIn: "process",
      namedTests: { commands: findNamedTests(plan), where: "success criteria of the plan" },
      ...(await buildStart({ shell, flags, repo, plan, tasks: kept.tasks, parallel })),
    },
  );
  return made.refusal ? { refusal: made.refusal } : { id: made.config.id };
}

interface Starting {
  readonly shell: Shell;
  readonly flags: Values<typeof executeFlags>;
  readonly repo: string;
  readonly plan: Plan;
  readonly tasks: PlanTasks["tasks"];
  readonly parallel: number;
}

/** What it runs with and what it may change: the plan wins over what was said beside it, and widens nothing. */
async function buildStart({ shell, flags, repo, plan, tasks, parallel }: Starting) {
  const topLevel = listTopLevel(repo);
  const scope = await buildPlanScope(createWorld(repo, "process"), {
    ...{ repo, plan, topLevel, base: flags.base },
    flags: { in: [...flags.in], out: [...flags.out], do_not_touch: [...flags["do-not-touch"]] },
  });
  const given = readPayload(flags.payload, flags.set, shell.cwd);
  return {
    payload: { ...given, ...buildExecutePayload(plan, { tasks, parallel, topLevel }) },
    settings: { scope },
  };
}

const refuseSuperseded = (slug: string, heir: string) =>
  refuse(
    "plan.superseded",
    `the plan ${slug} is not followed any more: ${heir} has taken its place`,
    `pairflow execute ${heir}`,
  );

const refuseUnconfirmedTasks = (slug: string) =>
  refuse(
    "plan.tasks-unconfirmed",
    `nobody has confirmed the tasks of the plan ${slug}`,
    `pairflow tasks ${slug} --yes`,
  );
