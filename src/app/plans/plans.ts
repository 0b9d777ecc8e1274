// Plans of a repository: making them, committing to them, changing those that are not committed, and taking the place of
// those that are.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pidLocks } from "../../adapters/lock/pid.ts";
import { processMarks } from "../../adapters/lock/process-marks.ts";
import { filePlans, type PlanFiles } from "../../adapters/plans/files.ts";
import { type Plan, PlanText } from "../../core/model/plan.ts";
import { refuse } from "../../core/model/refusal.ts";
import { clip } from "../../core/model/sizes.ts";
import { check } from "../../core/model/validate.ts";
import { taskProblems } from "../../core/plan/check-tasks.ts";
import { documentOf, type PlanDocument, tidy } from "../../core/plan/document.ts";
import { missingParts } from "../../core/plan/next.ts";
import { isSlug, nextSlug, planId, slugFor } from "../../core/plan/slug.ts";
import { superseding } from "../../core/plan/supersede.ts";
import { tasksFromExecution } from "../../core/plan/tasks.ts";
import { usageError } from "../host/usage.ts";
import { recordWorld } from "../record/world.ts";
import { listPlans, supersededBy } from "./list.ts";
import { planNamed } from "./named.ts";
import { planReader } from "./reader.ts";

export type { PlanFiles } from "../../adapters/plans/files.ts";

/** The plans of a repository, as files. */
export function openPlans(repo: string): PlanFiles {
  const locks = pidLocks({ folder: join(repo, ".pairflow", "locks"), marks: processMarks() });
  return filePlans({ root: repo, reader: planReader, locks, crashPoint: recordWorld(repo).crashPoint });
}

/** The names at the top of the repository, by which a constraint of one word can be a path. */
export function topLevelEntries(repo: string): string[] {
  return readdirSync(repo).filter((name) => name !== ".git");
}

/** The committed plan of that slug: what tasks and execution begin with. */
export async function committedPlan(plans: PlanFiles, slug: string): Promise<Plan> {
  const plan = await planNamed(plans, slug);
  if (plan.committed) return plan;
  throw refuse(
    "plan.not-committed",
    `the plan ${slug} is not committed yet; only a committed plan has tasks and is executed`,
    `pairflow promote ${slug}`,
  );
}

export interface NewPlan {
  readonly document: PlanDocument;
  readonly slug?: string;
  /** The moment it is made. */
  readonly now: string;
  /** Whether it is committed to at once. */
  readonly committed?: boolean;
}

/** A plan that was not there before. */
export async function newPlan(
  plans: PlanFiles,
  { document, slug, now, committed = false }: NewPlan,
): Promise<Plan> {
  const name = slug ?? slugFor(document.title);
  const taken = await plans.list();
  refuseBadSlug(name);
  if (taken.includes(name)) {
    const free = nextSlug(name, (one) => taken.includes(one));
    throw refuse("plan.exists", `there is a plan ${name} already`, `pairflow plan show ${name}`, [
      `to make another one beside it, add --slug ${free}`,
    ]);
  }
  const plan: Plan = {
    ...{ id: planId(name), slug: name, title: document.title, committed: false },
    ...fitting(document),
    created_at: now,
  };
  const said = `pairflow plan ${JSON.stringify(plan.title)} --mission "…" --execution "1. …"`;
  const made = committed ? committedAt(plan, now, said) : plan;
  await plans.save(made);
  return made;
}

/** Refuses what cannot be the name of a plan, with one that can. */
export function refuseBadSlug(slug: string): void {
  if (isSlug(slug)) return;
  throw usageError(
    "plan.bad-slug",
    `${JSON.stringify(slug)} is no name of a plan: 1–48 small letters, digits and -`,
    `--slug ${slugFor(slug)}`,
  );
}

/** What an author wrote, tidied; refuses what is longer than a plan may be. */
function fitting(document: PlanDocument, slug?: string): PlanDocument {
  const { title, ...text } = tidy(documentOf(document));
  const checked = check(PlanText, text);
  if (title === "" || title.length > 300)
    throw usageError(
      "plan.bad-title",
      "a title has 1 to 300 characters",
      slug === undefined
        ? `pairflow plan "Add discounts"`
        : `pairflow plan edit ${slug} --set title="Add discounts"`,
    );
  if (checked.ok) return { title, ...text };
  const parts = checked.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw usageError(
    "plan.too-long",
    `a part of the plan is too long: ${parts[0]}`,
    "shorten it",
    parts.slice(1),
  );
}

function committedAt(plan: Plan, now: string, hint: string): Plan {
  const missing = missingParts(plan);
  if (missing.length === 0) {
    refuseBadLines(plan, hint);
    return { ...plan, committed: true, committed_at: now };
  }
  throw refuse(
    "plan.empty",
    `${missing.join(" and ")} of the plan ${plan.slug} ${missing.length === 1 ? "is" : "are"} empty: nobody could execute it`,
    hint,
  );
}

/** Once it is frozen its lines cannot be changed any more: what they cannot become is said before. */
function refuseBadLines(plan: Plan, hint: string): void {
  const tasks = tasksFromExecution(plan);
  const problems = tasks.length > 0 ? taskProblems(tasks, plan) : [];
  if (problems.length === 0) return;
  throw refuse(
    "plan.bad-tasks",
    `the numbered lines of Execution cannot be tasks as they are; the plan ${plan.slug} is not committed`,
    hint,
    [...problems, `lines without numbers are left to a planner: pairflow tasks ${plan.slug} --planner`],
  );
}

/** Commits to a plan. Without a slug: to the only one that is not committed. Done twice it is done once. */
export async function promote(plans: PlanFiles, slug: string | undefined, now: string): Promise<Plan> {
  const plan = await planNamed(plans, slug ?? (await onlyUncommitted(plans)));
  if (plan.committed) return plan;
  const committed = committedAt(plan, now, `pairflow plan edit ${plan.slug}`);
  await plans.save(committed);
  return committed;
}

async function onlyUncommitted(plans: PlanFiles): Promise<string> {
  const open = (await listPlans(plans)).filter(({ state }) => state === "uncommitted");
  const [only, ...others] = open;
  if (only && others.length === 0) return only.slug;
  if (!only)
    throw refuse("plan.none-open", "no plan waits to be committed", 'pairflow explore "what you think of"');
  throw refuse(
    "plan.which",
    `${open.length} plans are not committed; which one?`,
    `pairflow promote ${only.slug}`,
    open.map(({ slug, title }) => `${slug}: ${clip(title, 60)}`),
  );
}

/** Changes an uncommitted plan. */
export async function edit(
  plans: PlanFiles,
  slug: string,
  change: (document: PlanDocument) => PlanDocument,
): Promise<Plan> {
  const plan = await planNamed(plans, slug);
  refuseFrozen(plan);
  const changed = { ...plan, ...fitting(change(documentOf(plan)), slug) };
  await plans.save(changed);
  return changed;
}

export function refuseFrozen({ slug, committed, committed_at }: Plan): void {
  if (!committed) return;
  throw refuse(
    "plan.frozen",
    `the plan ${slug} is committed since ${committed_at ?? "it was made"} and does not change any more`,
    `pairflow plan --supersede ${slug}`,
  );
}

export interface Superseding {
  readonly document: PlanDocument;
  readonly slug?: string;
  readonly now: string;
}

/** A committed plan that takes the place of another committed one, which stays as it is. */
export async function supersede(
  plans: PlanFiles,
  old: string,
  { document, slug, now }: Superseding,
): Promise<Plan> {
  await supersedable(plans, old);
  const taken = await plans.list();
  const name = slug ?? nextSlug(old, (one) => taken.includes(one));
  const coordination = superseding(document.coordination, old);
  return newPlan(plans, { document: { ...document, coordination }, slug: name, now, committed: true });
}

/** The plan that shall be superseded: only a committed one needs it, and only one takes its place. */
export async function supersedable(plans: PlanFiles, slug: string): Promise<Plan> {
  const plan = await planNamed(plans, slug);
  const heir = await supersededBy(plans, slug);
  if (heir !== undefined)
    throw refuse(
      "plan.superseded",
      `${heir} has taken the place of the plan ${slug} already`,
      `pairflow plan --supersede ${heir}`,
    );
  if (plan.committed) return plan;
  throw refuse(
    "plan.still-open",
    `the plan ${slug} is not committed, so it can simply be changed`,
    `pairflow plan edit ${slug}`,
  );
}
