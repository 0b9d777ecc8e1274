// The payloads about a bubble's work itself: what it is to do, and what agents and gates print now.

import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { openPlans } from "../../app/plans/change.ts";
import { readGateOutputs } from "../../app/record/live-gates.ts";
import { readPanes } from "../../app/record/panes.ts";
import type { Plan } from "../../core/model/plan.ts";
import { tryOrLater } from "../../core/model/value/try-or.ts";
import { buildPanesPage, type PanesPage } from "../../core/views/page/bubble/panes.ts";
import { buildPlanPage, findPlanSlug, type PlanPage } from "../../core/views/page/bubble/plan.ts";
import { buildCurrentHeader } from "./bubble.ts";
import { loadNamedState, type NamedBubble } from "./record.ts";

export async function readPanesPage(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
): Promise<Omit<PanesPage, "words">> {
  const { world, bubble, repository } = named;
  const state = await loadNamedState(named);
  const panes = await readPanes(world, repository.path, state);
  const isDriven = (await world.runtime.living(bubble)) !== undefined;
  // A driver that died leaves its note behind.
  const gates = isDriven ? await readGateOutputs(world, bubble) : [];
  return buildPanesPage(
    await buildCurrentHeader(repositories, named),
    panes,
    gates.map(({ name, since, output }) => ({ name, since, text: output })),
  );
}

export async function readPlanPage(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
): Promise<Omit<PlanPage, "words">> {
  const state = await loadNamedState(named);
  const bytes = await named.world.records.get(named.bubble, state.task.artifact);
  const task = bytes ? new TextDecoder().decode(bytes) : "";
  const slug = findPlanSlug(state);
  const plan = slug === undefined ? undefined : await readKnownPlan(named.repository.path, slug);
  return buildPlanPage(await buildCurrentHeader(repositories, named), state, { task, plan });
}

/** A plan that cannot be read hides nothing else; `pairflow plan show` says what is wrong with it. */
async function readKnownPlan(repo: string, slug: string): Promise<Plan | undefined> {
  return tryOrLater(() => openPlans(repo).read(slug), undefined);
}
