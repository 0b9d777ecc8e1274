// pairflow auto: from a topic to one approval; plan, tasks and execution in one run.

import { openRun, runsOf } from "../../../app/execute/runs.ts";
import { autoPayload, planWorkflow } from "../../../app/execute/wanted.ts";
import { repoOf } from "../../../app/host/locate.ts";
import { openPlans, refuseBadSlug, topLevelEntries } from "../../../app/plans/plans.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { givenPayload } from "../../../app/workflows/run.ts";
import type { Plan } from "../../../core/model/plan.ts";
import { refuse } from "../../../core/model/refusal.ts";
import type { State } from "../../../core/model/state.ts";
import { nextSlug, slugFor } from "../../../core/plan/slug.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { makeBubble } from "../../new-bubble/new-bubble.ts";
import { oneWord, quoted } from "../../plan/content.ts";
import { executed } from "../../plan/executed.ts";
import { goOn } from "../../plan/run.ts";
import { parallelFlag, parallelOf, runFlags } from "../../plan/run-flags.ts";
import { usage } from "../../verb/outcome.ts";
import { verb } from "../../verb/verb.ts";

const example = 'pairflow auto "discounts in the cart"';

export const auto = verb({
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
    const topic = oneWord("auto", words, example)?.trim();
    const slug = slugIn(topic, flags.slug);
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const runs = await runsOf(recordWorld(repo), repo, slug);
    const again = [
      "pairflow auto",
      ...(topic ? [quoted(topic)] : []),
      ...(flags.slug ? ["--slug", slug] : []),
    ];
    const going = { repo, slug, detach: flags.detach, yes: flags.yes, again: again.join(" ") };
    const plans = openPlans(repo);
    const open = openRun(runs);
    if (open && topic && !isAbout(open, topic))
      throw otherRun(open, { slug, topic, taken: await plans.list() });
    if (open) return goOn(shell, { ...going, bubble: open.bubbleId });
    if (!topic) throw noTopic();
    const known = await plans.read(slug);
    if (known) throw planThere(known, await plans.list(), runs.newest);
    const parallel = parallelOf(flags.parallel);
    const made = await makeBubble(shell, flags, {
      ...{ id: runs.free, workflow: planWorkflow, task: `${topic}\n`, startsNow: true },
      payload: {
        ...givenPayload(flags.payload, flags.set, shell.cwd),
        ...autoPayload(topic, { slug, parallel, topLevel: topLevelEntries(repo) }),
      },
    });
    return made.refusal ? { refusal: made.refusal } : goOn(shell, { ...going, bubble: made.config.id });
  },
});

function slugIn(topic: string | undefined, given: string | undefined): string {
  if (given === undefined && !topic) throw noTopic();
  const slug = given ?? slugFor(topic ?? "");
  refuseBadSlug(slug);
  return slug;
}

const noTopic = () => usage("plan.no-topic", "what is it about?", example);

/** A plan that people made is theirs: it is executed, or another name is taken. */
function planThere({ slug, committed }: Plan, taken: readonly string[], run: State | undefined) {
  const free = nextSlug(slug, (one) => taken.includes(one));
  if (run?.lifecycle === "DONE") return executed(slug, run, [`to plan anew beside it, add --slug ${free}`]);
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

const topicOf = ({ program }: State): string => {
  const { topic } = program.payload ?? {};
  return typeof topic === "string" ? topic : "";
};

const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

const isAbout = (run: State, topic: string): boolean => inOneLine(topicOf(run)) === inOneLine(topic);

/** Another topic that happens to get the same short name, or a plan of people that is just executed. */
function otherRun(
  run: State,
  { slug, topic, taken }: { slug: string; topic: string; taken: readonly string[] },
) {
  const free = nextSlug(slug, (one) => taken.includes(one));
  const about = topicOf(run);
  const theirs = `pairflow auto ${quoted(about)}${slugFor(about) === slug ? "" : ` --slug ${slug}`}`;
  return refuse(
    "plan.exists",
    about ? `${slug} is a run about ${JSON.stringify(about)}` : `${slug} is a plan that is being executed`,
    `pairflow auto ${quoted(topic)} --slug ${free}`,
    [`to continue with that one: ${about ? theirs : `pairflow execute ${slug}`}`],
  );
}
