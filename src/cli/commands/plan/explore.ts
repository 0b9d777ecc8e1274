// pairflow explore: a scratch plan to think in, before anybody commits to it.

import { join } from "node:path";
import { plannerIn } from "../../../app/execute/planner.ts";
import { repoOf } from "../../../app/host/locate.ts";
import { planNamed } from "../../../app/plans/named.ts";
import { newPlan, openPlans, type PlanFiles, refuseBadSlug } from "../../../app/plans/plans.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { worldOf } from "../../../app/world/world.ts";
import type { Plan } from "../../../core/model/plan.ts";
import { clip } from "../../../core/model/sizes.ts";
import type { State } from "../../../core/model/state.ts";
import { documentOf, type PlanDocument } from "../../../core/plan/document.ts";
import { renderPlan } from "../../../core/plan/markdown.ts";
import { missingParts } from "../../../core/plan/next.ts";
import { emptyText } from "../../../core/plan/sections.ts";
import { nextSlug, slugFor } from "../../../core/plan/slug.ts";
import { yesFlag } from "../../operator/trust.ts";
import { oneWord, quoted } from "../../plan/content.ts";
import { openTurn, takeTurn } from "../../plan/turn.ts";
import { nearPath } from "../../terminal/style.ts";
import { usage } from "../../verb/outcome.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { type Result, type Shell, type Values, verb } from "../../verb/verb.ts";

export const exploreFlags = {
  repo: bubbleFlags.repo,
  slug: { kind: "text", value: "<slug>", about: "short name of the plan; made from the topic if left out" },
  from: { kind: "text", value: "<slug>", about: "begin with a copy of another plan" },
  agent: {
    kind: "list",
    value: "<role>=<agent>",
    about: "who looks at the repository, as planner=claude; as the settings say if left out",
  },
  ...yesFlag,
  "no-agent": { kind: "switch", about: "only make the plan; no agent looks at the repository" },
} as const;

export const explore = verb({
  words: "explore",
  about:
    "Begin an uncommitted plan: an agent reads the repository and fills a scratchpad that you may change",
  access: "operator",
  takes: "[topic]",
  example: 'pairflow explore "discounts in the cart"',
  flags: exploreFlags,
  run: (shell, { flags, words }) =>
    exploreTopic(shell, flags, oneWord("explore", words, 'pairflow explore "…"')),
});

/** Makes the plan, lets the planner fill it if there is one, then says where it is and what can be typed next. */
export async function exploreTopic(
  shell: Shell,
  flags: Values<typeof exploreFlags>,
  topic: string | undefined,
): Promise<Result> {
  const repo = repoOf(flags.repo, shell.cwd, shell.env);
  const plans = openPlans(repo);
  if (flags.slug !== undefined) refuseBadSlug(flags.slug);
  const going = await goesOn(repo, plans, flags.slug ?? slugFor(topic ?? ""));
  if (going) return explored(shell, flags, { repo, plans, plan: going, cwd: shell.cwd });
  const from = flags.from === undefined ? undefined : await planNamed(plans, flags.from);
  const slug = flags.slug ?? (topic === undefined && from ? await besides(plans, from) : undefined);
  const plan = await newPlan(plans, {
    document: firstDocument(topic, from),
    now: recordWorld(repo).clock.now(),
    ...(slug === undefined ? {} : { slug }),
  });
  const asked = { repo, plans, plan, cwd: shell.cwd };
  const why = flags["no-agent"] ? undefined : await whyNobody(flags, repo);
  if (why) shell.say(`No agent was asked: ${why}`);
  return why || flags["no-agent"] ? exploring(asked) : explored(shell, flags, asked);
}

/** A copy without a title of its own gets the next name. */
async function besides(plans: PlanFiles, { slug }: Plan): Promise<string> {
  const taken = await plans.list();
  return nextSlug(slug, (one) => taken.includes(one));
}

interface Asked {
  readonly repo: string;
  readonly plans: PlanFiles;
  readonly plan: Plan;
  readonly cwd: string;
}

const turnId = (slug: string): string => `explore-${slug}`;

/** The same command again continues with an exploration that was left. */
async function goesOn(repo: string, plans: PlanFiles, slug: string): Promise<Plan | undefined> {
  const plan = await plans.read(slug);
  const open = plan && !plan.committed && (await openTurn(worldOf(repo, "process"), repo, turnId(slug)));
  return open ? plan : undefined;
}

async function whyNobody({ agent }: Values<typeof exploreFlags>, repo: string): Promise<string | undefined> {
  const planner = await plannerIn(worldOf(repo, "process"), repo, agent);
  return "why" in planner ? planner.why : undefined;
}

/** The planner reads the repository and fills the plan; what stops it is said, and the plan stays as it is. */
async function explored(shell: Shell, flags: Values<typeof exploreFlags>, asked: Asked): Promise<Result> {
  const { repo, plans, plan } = asked;
  const { slug, title } = plan;
  const named = slugFor(title) === slug ? "" : ` --slug ${slug}`;
  const { ended, result } = await takeTurn(shell, {
    ...{ repo, id: turnId(slug), workflow: "explore", agents: flags.agent, yes: flags.yes },
    again: `pairflow explore ${quoted(title)}${named}`,
    task: renderPlan(documentOf(plan)).replace(/^# Plan: .*/, () => `# Explore: ${title}`),
    payload: { topic: title, slug, plan_slug: slug, before: documentOf(plan) },
  });
  if (ended) return exploring({ ...asked, plan: await planNamed(plans, keptAs(ended) ?? slug) }, "Explored");
  return result;
}

/** Under another name where somebody has changed the plan meanwhile. */
function keptAs({ steps }: State): string | undefined {
  const slug = steps?.save?.output?.slug;
  return typeof slug === "string" ? slug : undefined;
}

function firstDocument(topic: string | undefined, from: Plan | undefined): PlanDocument {
  if (topic !== undefined && topic.trim() === "") throw noTopic();
  if (from) return { ...documentOf(from), title: topic ?? from.title };
  if (topic === undefined) throw noTopic();
  return { ...emptyText, title: clip(topic, 300), situation: topic };
}

const noTopic = () => usage("plan.no-topic", "what is it about?", 'pairflow explore "discounts in the cart"');

function exploring({ plan, plans, repo, cwd }: Asked, word = "Exploring"): Result {
  const { slug } = plan;
  const isReady = missingParts(plan).length === 0;
  const file = nearPath(join(repo, plans.path(slug, "plan.md")), cwd);
  const text = [
    `${word} ${slug}: ${file} (not committed; change it freely, also by hand)`,
    `Next: pairflow plan edit ${slug}   ${isReady ? "changes it" : "fills it in"}`,
    `Next: pairflow promote ${slug}   commits to it${isReady ? "" : ", once Mission and Execution say something"}`,
  ].join("\n");
  return { text, json: { plan } };
}
