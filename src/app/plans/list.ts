// All plans of a repository with the state each is in.

import type { PlanFiles } from "../../adapters/plans/files.ts";
import type { Plan } from "../../core/model/plan.ts";
import { isRefusal } from "../../core/model/refusal.ts";
import { suggestNextCommand } from "../../core/plan/next.ts";
import { readSuperseded } from "../../core/plan/supersede.ts";
import type { ListedPlan } from "../../core/views/page/plans.ts";
import { requirePlan } from "./find.ts";

const stateOrder: readonly ListedPlan["state"][] = ["unreadable", "uncommitted", "committed", "superseded"];

/** All plans: first those that wait for somebody, then the committed ones, then what was superseded. */
export async function listPlans(plans: PlanFiles): Promise<ListedPlan[]> {
  const looked = await Promise.all((await plans.list()).map((slug) => look(plans, slug)));
  const heirs = new Map(
    looked.flatMap(({ plan }) => {
      const old = plan?.committed ? readSuperseded(plan) : undefined;
      return plan && old ? [[old, plan.slug] as const] : [];
    }),
  );
  const listed = looked.map(({ listed: one }): ListedPlan => {
    const heir = heirs.get(one.slug);
    if (!heir || one.state !== "committed") return one;
    return { ...one, state: "superseded", superseded_by: heir, next: `pairflow plan show ${heir}` };
  });
  return listed.sort(
    (a, b) =>
      stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
      compare(a.created_at, b.created_at) ||
      compare(a.slug, b.slug),
  );
}

const compare = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

/** One plan that cannot be read does not hide the others. */
async function look(plans: PlanFiles, slug: string): Promise<{ listed: ListedPlan; plan?: Plan }> {
  try {
    const plan = await requirePlan(plans, slug);
    const tasks = await plans.readTasks(slug);
    const { title, created_at, committed_at, committed } = plan;
    const listed: ListedPlan = {
      ...{ slug, title, created_at, state: committed ? "committed" : "uncommitted" },
      next: suggestNextCommand(plan, tasks),
      ...(committed_at ? { committed_at } : {}),
      ...(tasks
        ? { tasks: { number: tasks.tasks.length, confirmed: tasks.confirmed_at !== undefined } }
        : {}),
    };
    return { listed, plan };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const next = error.hint?.startsWith("pairflow ") ? error.hint : `pairflow plan show ${slug}`;
    return { listed: { slug, title: "", state: "unreadable", problem: error.message, next } };
  }
}

/** The committed plan that has taken the place of this one. */
export async function findSuccessor(plans: PlanFiles, slug: string): Promise<string | undefined> {
  return (await listPlans(plans)).find((one) => one.slug === slug)?.superseded_by;
}
