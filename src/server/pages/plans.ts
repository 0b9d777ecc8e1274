// The payloads of plans: all of them, and one. Slugs are looked up on the list of plans and never used as paths.
import { readTree } from "../../app/execute/read-tree.ts";
import { findRuns } from "../../app/execute/runs.ts";
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { openPlans } from "../../app/plans/change.ts";
import { listPlans } from "../../app/plans/list.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { refuse } from "../../core/model/refusal.ts";
import {
  buildOnePlanPage,
  buildPlanRow,
  type ListedPlanRow,
  type OnePlanPage,
  type PlansPage,
  sortPlanRows,
} from "../../core/views/page/plans.ts";
import { decodePart } from "../http/bubble-path.ts";

type Repositories = readonly KnownRepository[];

export async function readPlansPage(repositories: Repositories): Promise<Omit<PlansPage, "words">> {
  const plans = (await Promise.all(repositories.map(listRows))).flat();
  return {
    page: "plans",
    repositories: repositories.map(({ name }) => name),
    waiting: null,
    plans: sortPlanRows(plans),
  };
}

const listRows = async ({ name, path }: KnownRepository): Promise<ListedPlanRow[]> =>
  (await listPlans(openPlans(path))).map((plan) => buildPlanRow(name, plan));

export interface PlanPath {
  readonly repo: string;
  readonly slug: string;
}

/** /api/p/<repo>/<slug>; undefined when the path names no plan. */
export function parsePlanPath(path: string): PlanPath | undefined {
  const [, repo, slug] = /^\/api\/p\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return repo && slug ? { repo: decodePart(repo), slug: decodePart(slug) } : undefined;
}

export async function readOnePlan(
  repositories: Repositories,
  { repo, slug }: PlanPath,
): Promise<Omit<OnePlanPage, "words">> {
  const repository = repositories.find(({ name }) => name === repo);
  const row = repository && (await listRows(repository)).find((one) => one.slug === slug);
  if (!row) throw refuse("plan.unknown", `there is no plan ${slug} in ${repo}`, "pairflow plan list");
  const { path } = repository;
  const plans = openPlans(path);
  const isReadable = row.state !== "unreadable";
  const world = createRecordWorld(path);
  const { newest } = isReadable ? await findRuns(world, path, slug) : {};
  return buildOnePlanPage({
    repositories: repositories.map(({ name }) => name),
    row,
    plan: isReadable ? await plans.read(slug) : undefined,
    tasks: isReadable ? await plans.readTasks(slug) : undefined,
    amendments: isReadable ? await plans.amendments(slug) : [],
    run: newest && (await readTree(world, newest.bubbleId)),
  });
}
