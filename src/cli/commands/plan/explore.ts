// pairflow explore: a scratch plan to think in, before anybody commits to it.

import { join } from "node:path";
import { findPlanner } from "../../../app/execute/planner.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { createPlan, openPlans, type PlanFiles, refuseBadSlug } from "../../../app/plans/change.ts";
import { requirePlan } from "../../../app/plans/find.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { createWorld } from "../../../app/world/world.ts";
import type { Plan } from "../../../core/model/plan.ts";
import type { State } from "../../../core/model/state.ts";
import { clip } from "../../../core/model/value/sizes.ts";
import { type PlanDocument, pickPlanDocument } from "../../../core/plan/document.ts";
import { renderPlan } from "../../../core/plan/markdown.ts";
import { listMissingPlanParts } from "../../../core/plan/next.ts";
import { emptyText } from "../../../core/plan/sections.ts";
import { incrementSlug, slugifyTitle } from "../../../core/plan/slug.ts";
import { yesFlag } from "../../operator/trust.ts";
import { quoteForPaste, requireOneWord } from "../../plan/content.ts";
import { openTurn, takeTurn } from "../../plan/turn.ts";
import { shortenPath } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell, type Values } from "../../verb/declaration.ts";

export const exploreFlags = {
  repo: bubbleFlags.repo,
  slug: { kind: "text", value: "<slug>", about: "short name of the plan; made from the topic if left out" },
  from: { kind: "text", value: "<slug>", about: "begin with a copy of another plan" },
  agent: {
    kind: "list",
    value: "<role>=<agent>",
    namesBehind: "agent",
    about: "who looks at the repository, as planner=claude; as the settings say if left out",
  },
  ...yesFlag,
  "no-agent": { kind: "switch", about: "only make the plan; no agent looks at the repository" },
} as const;

export const explore = defineVerb({
  words: "explore",
  about:
    "Begin an uncommitted plan: an agent reads the repository and fills a scratchpad that you may change",
  access: "operator",
  takes: "[topic]",
  example: 'pairflow explore "discounts in the cart"',
  flags: exploreFlags,
  run: (shell, { flags, words }) =>
    exploreTopic(shell, flags, requireOneWord("explore", words, 'pairflow explore "…"')),
});

/** Makes the plan, lets the planner fill it if there is one, then says where it is and what can be typed next. */
export async function exploreTopic(
  shell: Shell,
  flags: Values<typeof exploreFlags>,
  topic: string | undefined,
): Promise<CommandResult> {
  const repo = requireRepo(flags.repo, shell.cwd, shell.env);
  const plans = openPlans(repo);
  if (flags.slug !== undefined) refuseBadSlug(flags.slug);
  const going = await findExploration(repo, plans, flags.slug ?? slugifyTitle(topic ?? ""));
  if (going) return runPlanner(shell, flags, { repo, plans, plan: going, cwd: shell.cwd });
  const from = flags.from === undefined ? undefined : await requirePlan(plans, flags.from);
  const slug = flags.slug ?? (topic === undefined && from ? await describeOthers(plans, from) : undefined);
  const plan = await createPlan(plans, {
    document: buildFirstDocument(topic, from),
    now: createRecordWorld(repo).clock.now(),
    ...(slug === undefined ? {} : { slug }),
  });
  const asked = { repo, plans, plan, cwd: shell.cwd };
  const why = flags["no-agent"] ? undefined : await explainNoPlanner(flags, repo);
  if (why) shell.say(`No agent was asked: ${why}`);
  return why || flags["no-agent"] ? renderExploring(asked) : runPlanner(shell, flags, asked);
}

/** A copy without a title of its own gets the next name. */
async function describeOthers(plans: PlanFiles, { slug }: Plan): Promise<string> {
  const taken = await plans.list();
  return incrementSlug(slug, (one) => taken.includes(one));
}

interface Asked {
  readonly repo: string;
  readonly plans: PlanFiles;
  readonly plan: Plan;
  readonly cwd: string;
}

const getTurnId = (slug: string): string => `explore-${slug}`;

/** The same command again continues with an exploration that was left. */
async function findExploration(repo: string, plans: PlanFiles, slug: string): Promise<Plan | undefined> {
  const plan = await plans.read(slug);
  const open =
    plan && !plan.committed && (await openTurn(createWorld(repo, "process"), repo, getTurnId(slug)));
  return open ? plan : undefined;
}

async function explainNoPlanner(
  { agent }: Values<typeof exploreFlags>,
  repo: string,
): Promise<string | undefined> {
  const planner = await findPlanner(createWorld(repo, "process"), repo, agent);
  return "why" in planner ? planner.why : undefined;
}

/** The planner reads the repository and fills the plan; what stops it is said, and the plan stays as it is. */
async function runPlanner(
  shell: Shell,
  flags: Values<typeof exploreFlags>,
  asked: Asked,
): Promise<CommandResult> {
  const { repo, plans, plan } = asked;
  const { slug, title } = plan;
  const named = slugifyTitle(title) === slug ? "" : ` --slug ${slug}`;
  const { ended, result } = await takeTurn(shell, {
    ...{ repo, id: getTurnId(slug), workflow: "explore", agents: flags.agent, yes: flags.yes },
    again: `pairflow explore ${quoteForPaste(title)}${named}`,
    task: renderPlan(pickPlanDocument(plan)).replace(/^# Plan: .*/, () => `# Explore: ${title}`),
    payload: { topic: title, slug, plan_slug: slug, before: pickPlanDocument(plan) },
  });
  if (ended)
    return renderExploring(
      { ...asked, plan: await requirePlan(plans, getKeptSlug(ended) ?? slug) },
      "Explored",
    );
  return result;
}

/** Under another name where somebody has changed the plan meanwhile. */
function getKeptSlug({ steps }: State): string | undefined {
  const slug = steps?.save?.output?.slug;
  return typeof slug === "string" ? slug : undefined;
}

function buildFirstDocument(topic: string | undefined, from: Plan | undefined): PlanDocument {
  if (topic !== undefined && topic.trim() === "") throw refuseNoTopic();
  if (from) return { ...pickPlanDocument(from), title: topic ?? from.title };
  if (topic === undefined) throw refuseNoTopic();
  return { ...emptyText, title: clip(topic, 300), situation: topic };
}

const refuseNoTopic = () =>
  buildUsageError("plan.no-topic", "what is it about?", 'pairflow explore "discounts in the cart"');

function renderExploring({ plan, plans, repo, cwd }: Asked, word = "Exploring"): CommandResult {
  const { slug } = plan;
  const isReady = listMissingPlanParts(plan).length === 0;
  const file = shortenPath(join(repo, plans.path(slug, "plan.md")), cwd);
  const text = [
    `${word} ${slug}: ${file} (not committed; change it freely, also by hand)`,
    `Next: pairflow plan edit ${slug}   ${isReady ? "changes it" : "fills it in"}`,
    `Next: pairflow promote ${slug}   commits to it${isReady ? "" : ", once Mission and Execution say something"}`,
  ].join("\n");
  return { text, json: { plan } };
}
