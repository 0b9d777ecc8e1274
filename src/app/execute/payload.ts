// Executing a plan: what its one parent bubble is started with, made of the plan, its tasks and what the project allows.

import type { BubbleConfig } from "../../core/model/config.ts";
import type { Plan, PlanTask } from "../../core/model/plan.ts";
import { keepStart } from "../../core/model/value/sizes.ts";
import { intersectScopes } from "../../core/permission/scope-intersection.ts";
import { sortConstraints } from "../../core/plan/constraints.ts";
import { pickPlanDocument } from "../../core/plan/document.ts";
import { renderPlan } from "../../core/plan/markdown.ts";
import { parseSuccessCriteria } from "../../core/plan/success.ts";
import type { World } from "../../engine/front/world.ts";
import { readProjectConfig } from "../config/project.ts";

/** The workflow that both `execute` and `auto` run: what it is started with decides where it begins. */
export const planWorkflow = "auto";

type Payload = Readonly<Record<string, unknown>>;
type Scope = BubbleConfig["scope"];

/** The plan as a bubble's task: its title first, then its sections. */
export function planTask(plan: Plan): string {
  return renderPlan(pickPlanDocument(plan)).replace(/^# Plan: .*/, () => `# ${plan.title}`);
}

export const listPlanCriteria = (plan: Plan): string[] => [
  ...new Set(parseSuccessCriteria(plan).map(({ text }) => keepStart(text, 2000))),
];

/** What the workflow is started with: the plan and its tasks as papers that were handed in already. */
export function buildExecutePayload(
  plan: Plan,
  {
    tasks,
    parallel,
    topLevel,
  }: { tasks: readonly PlanTask[]; parallel: number; topLevel: readonly string[] },
): Payload {
  const { slug } = plan;
  return {
    ...{ slug, plan_slug: slug, top_level: topLevel },
    papers: { plan: pickPlanDocument(plan), tasks: { tasks } },
    settings: { parallel },
  };
}

/** What a run of the same workflow is started with when there is nothing but a topic. */
export const buildAutoPayload = (
  topic: string,
  { slug, parallel, topLevel }: { slug: string; parallel: number; topLevel: readonly string[] },
): Payload => ({ topic, slug, plan_slug: slug, top_level: topLevel, settings: { parallel } });

/** What bubbles of this plan may change: never more than the project's own settings, or the flags, allow. */
export async function buildPlanScope(
  world: World,
  { repo, base, plan, flags, topLevel }: ScopeParts,
): Promise<Scope> {
  const commit = await world.workspace.resolve(repo, base ?? (await world.workspace.defaultBranch(repo)));
  const project = await readProjectConfig((path) => world.workspace.fileAt(repo, commit, path));
  const own = { ...nothing, ...((project.defaults.scope ?? {}) as Partial<Scope>) };
  return intersectScopes(intersectScopes(own, flags), sortConstraints(plan.constraints, topLevel).scope);
}

export interface ScopeParts {
  readonly repo: string;
  readonly base: string | undefined;
  readonly plan: Plan;
  /** What was said on the command line. */
  readonly flags: Scope;
  readonly topLevel: readonly string[];
}

const nothing: Scope = { in: [], out: [], do_not_touch: [] };
