// pairflow auto: from a topic to one approval; plan, tasks and execution in one run.

import { buildAutoPayload, planWorkflow } from "../../../app/execute/payload.ts";
import { findRuns, openRun } from "../../../app/execute/runs.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { readPayload } from "../../../app/making/payload.ts";
import { listTopLevel, openPlans, refuseBadSlug } from "../../../app/plans/change.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { Plan } from "../../../core/model/plan.ts";
import { refuse } from "../../../core/model/refusal.ts";
import type { State } from "../../../core/model/state.ts";
import { incrementSlug, slugifyTitle } from "../../../core/plan/slug.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { makeBubbleHere } from "../../new-bubble/new-bubble.ts";
import { quoteForPaste, requireOneWord } from "../../plan/content.ts";
import { refuseExecuted } from "../../plan/executed.ts";
import { continuePlan } from "../../plan/run.ts";
import { checkParallel, parallelFlag, runFlags } from "../../plan/run-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

const example = 'pairflow auto "discounts in the cart"';

export const auto = defineVerb({
  words: "auto",
  about:
    "From a topic to one approval: an agent plans, another attacks the plan, tasks are made and executed",
  access: "operator",
  takes: "[topic]",
  example,
  flags: {
    slug: {
      kind: "text",
      value: "<slug>",
      about: "short name of the plan and the run; made from the topic if left out",
    },
    parallel: parallelFlag,
    ...runFlags,
    ...newBubbleFlags,
  },
  async run(shell, { flags, words }) {
    const topic = requireOneWord("auto", words, example)?.trim();
    const slug = getSlug(topic, flags.slug);
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const runs = await findRuns(createRecordWorld(repo), repo, slug);
    const again = [
      "pairflow auto",
      ...(topic ? [quoteForPaste(topic)] : []),
      ...(flags.slug ? ["--slug", slug] : []),
    ];
    const going = { repo, slug, detach: flags.detach, yes: flags.yes, again: again.join(" ") };
    const plans = openPlans(repo);
    const open = openRun(runs);
    if (open && topic && !isAbout(open, topic))
      throw refuseOtherRun(open, { slug, topic, taken: await plans.list() });
    if (open) return continuePlan(shell, { ...going, bubble: open.bubbleId });
    if (!topic) throw refuseNoTopic();
    const known = await plans.read(slug);
    if (known) throw refuseTakenPlan(known, await plans.list(), runs.newest);
    const parallel = checkParallel(flags.parallel);
    const made = await makeBubbleHere(shell, flags, {
      ...{ id: runs.free, workflow: planWorkflow, task: `${topic}\n`, startsIn: "process" },
      payload: {
        ...readPayload(flags.payload, flags.set, shell.cwd),
        ...buildAutoPayload(topic, { slug, parallel, topLevel: listTopLevel(repo) }),
      },
    });
    return made.refusal
      ? { refusal: made.refusal }
      : continuePlan(shell, { ...going, bubble: made.config.id });
  },
});

function getSlug(topic: string | undefined, given: string | undefined): string {
  if (given === undefined && !topic) throw refuseNoTopic();
  const slug = given ?? slugifyTitle(topic ?? "");
  refuseBadSlug(slug);
  return slug;
}

const refuseNoTopic = () => buildUsageError("plan.no-topic", "what is it about?", example);

/** A plan that people made is theirs: it is executed, or another name is taken. */
function refuseTakenPlan({ slug, committed }: Plan, taken: readonly string[], run: State | undefined) {
  const free = incrementSlug(slug, (one) => taken.includes(one));
  if (run?.lifecycle === "DONE")
    return refuseExecuted(slug, run, [`to plan anew beside it, add --slug ${free}`]);
  const instead = committed
    ? `pairflow execute ${slug}`
    : `pairflow promote ${slug} && pairflow execute ${slug}`;
  return refuse(
    "plan.exists",
    `there is a plan ${slug} already${committed ? "" : ", which is not committed"}; auto makes a plan of its own`,
    instead,
    [`to plan anew beside it, add --slug ${free}`],
  );
}

const getTopic = ({ program }: State): string => {
  const { topic } = program.payload ?? {};
  return typeof topic === "string" ? topic : "";
};

const toOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

const isAbout = (run: State, topic: string): boolean => toOneLine(getTopic(run)) === toOneLine(topic);

/** Another topic that happens to get the same short name, or a plan of people that is just executed. */
function refuseOtherRun(
  run: State,
  { slug, topic, taken }: { slug: string; topic: string; taken: readonly string[] },
) {
  const free = incrementSlug(slug, (one) => taken.includes(one));
  const about = getTopic(run);
  const theirs = `pairflow auto ${quoteForPaste(about)}${slugifyTitle(about) === slug ? "" : ` --slug ${slug}`}`;
  return refuse(
    "plan.exists",
    about ? `${slug} is a run about ${JSON.stringify(about)}` : `${slug} is a plan that is being executed`,
    `pairflow auto ${quoteForPaste(topic)} --slug ${free}`,
    [`to continue with that one: ${about ? theirs : `pairflow execute ${slug}`}`],
  );
}
