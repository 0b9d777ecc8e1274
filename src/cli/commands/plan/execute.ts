// pairflow execute: a committed plan, task by task in bubbles of their own, up to one approval.

import { openRun, runsOf } from "../../../app/execute/runs.ts";
import {
  executePayload,
  planCriteria,
  planScope,
  planTask,
  planWorkflow,
} from "../../../app/execute/wanted.ts";
import { repoOf } from "../../../app/host/locate.ts";
import { supersededBy } from "../../../app/plans/list.ts";
import { committedPlan, openPlans, topLevelEntries } from "../../../app/plans/plans.ts";
import { tasksFor } from "../../../app/plans/tasks.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { givenPayload } from "../../../app/workflows/run.ts";
import { worldOf } from "../../../app/world/world.ts";
import type { Plan, PlanTasks } from "../../../core/model/plan.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { namedTests } from "../../../core/plan/success.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { makeBubble } from "../../new-bubble/new-bubble.ts";
import { keepTasks } from "../../plan/confirm-tasks.ts";
import { slugOf } from "../../plan/content.ts";
import { executed } from "../../plan/executed.ts";
import { goOn } from "../../plan/run.ts";
import { parallelFlag, parallelOf, runFlags } from "../../plan/run-flags.ts";
import { planStatusOf } from "../../plan/status.ts";
import { type Result, type Shell, type Values, verb } from "../../verb/verb.ts";

const executeFlags = {
  parallel: parallelFlag,
  ...runFlags,
  status: { kind: "switch", about: "only show how far it is; the same as plan status" },
  again: { kind: "switch", about: "once more, although it was executed and committed" },
  ...newBubbleFlags,
  yes: { kind: "switch", about: "take the tasks and the detected test commands without asking" },
} as const;

export const execute = verb({
  words: "execute",
  about:
    "Execute a committed plan: each task in a bubble of its own, side by side where allowed, one approval",
  access: "operator",
  takes: "<slug>",
  example: "pairflow execute add-discounts --parallel 3",
  flags: executeFlags,
  async run(shell, { flags, words }) {
    const slug = slugOf("execute", words);
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    if (flags.status) return planStatusOf(shell, repo, slug);
    const going = { repo, slug, detach: flags.detach, yes: flags.yes, again: `pairflow execute ${slug}` };
    const runs = await runsOf(recordWorld(repo), repo, slug);
    const open = openRun(runs);
    if (open) return goOn(shell, { ...going, bubble: open.bubbleId });
    if (runs.newest?.lifecycle === "DONE" && !flags.again)
      throw executed(slug, runs.newest, [`to execute it once more: pairflow execute ${slug} --again`]);
    const made = await makeRun(shell, flags, { repo, slug, id: runs.free });
    const bubble = made.id ?? (await begunMeanwhile(repo, slug, made));
    return bubble === undefined ? made : goOn(shell, { ...going, bubble });
  },
});

/** Somebody has typed the same at the same moment: it is one run, and both watch it. */
async function begunMeanwhile(repo: string, slug: string, { refusal }: Result): Promise<string | undefined> {
  if (refusal?.code !== "bubble.exists") return undefined;
  return openRun(await runsOf(recordWorld(repo), repo, slug))?.bubbleId;
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
): Promise<Result & { readonly id?: string }> {
  const parallel = parallelOf(flags.parallel);
  const plans = openPlans(repo);
  const plan = await committedPlan(plans, slug);
  const heir = await supersededBy(plans, slug);
  if (heir) throw superseded(slug, heir);
  const found = await tasksFor(plans, plan, { cwd: shell.cwd });
  const now = recordWorld(repo).clock.now();
  const kept = await keepTasks(shell, plans, plan, { found, yes: flags.yes, now });
  if (kept.confirmed_at === undefined) throw unconfirmed(slug);
  const made = await makeBubble(
    shell,
    { ...flags, criterion: [...planCriteria(plan), ...flags.criterion] },
    {
      id,
      workflow: planWorkflow,
      task: planTask(plan),
      startsNow: true,
      namedTests: { commands: namedTests(plan), where: "success criteria of the plan" },
      ...(await startedWith({ shell, flags, repo, plan, tasks: kept.tasks, parallel })),
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
async function startedWith({ shell, flags, repo, plan, tasks, parallel }: Starting) {
  const topLevel = topLevelEntries(repo);
  const scope = await planScope(worldOf(repo, "process"), {
    ...{ repo, plan, topLevel },
    ...(flags.base === undefined ? {} : { base: flags.base }),
    flags: { in: [...flags.in], out: [...flags.out], do_not_touch: [...flags["do-not-touch"]] },
  });
  const given = givenPayload(flags.payload, flags.set, shell.cwd);
  return {
    payload: { ...given, ...executePayload(plan, { tasks, parallel, topLevel }) },
    settings: { scope },
  };
}

const superseded = (slug: string, heir: string) =>
  refuse(
    "plan.superseded",
    `the plan ${slug} is not followed any more: ${heir} has taken its place`,
    `pairflow execute ${heir}`,
  );

const unconfirmed = (slug: string) =>
  refuse(
    "plan.tasks-unconfirmed",
    `nobody has confirmed the tasks of the plan ${slug}`,
    `pairflow tasks ${slug} --yes`,
  );
