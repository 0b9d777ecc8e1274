// Plans of a repository: making them, committing to them, changing those that are not committed, and taking the place of
// those that are.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { createFilePlans, type PlanFiles } from "../../adapters/plans/files.ts";
import { createMirroredPlans } from "../../adapters/plans/mirrored.ts";
import { type Plan, PlanText } from "../../core/model/plan.ts";
import { refuse } from "../../core/model/refusal.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { check } from "../../core/model/value/validate.ts";
import { type PlanDocument, pickPlanDocument, tidy } from "../../core/plan/document.ts";
import { listMissingPlanParts } from "../../core/plan/next.ts";
import { getPlanId, incrementSlug, isSlug, slugifyTitle } from "../../core/plan/slug.ts";
import { markSuperseding } from "../../core/plan/supersede.ts";
import { checkPlanTasks } from "../../core/plan/tasks/check.ts";
import { parseExecutionTasks } from "../../core/plan/tasks/execution.ts";
import { planReader } from "../files/plan.ts";
import { buildUsageError } from "../host/usage.ts";
import { openRecordWorld } from "../record/world.ts";
import { requirePlan } from "./find.ts";
import { findSuccessor, listPlans } from "./list.ts";

export type { PlanFiles } from "../../adapters/plans/files.ts";

/** The plans of a repository: files of this machine, kept alike with the server's where several machines share one. */
export function openPlans(repo: string): PlanFiles {
  const { shared } = openRecordWorld(repo);
  const files = openPlanFiles(repo);
  if (!shared) return files;
  const notes = join(repo, ".pairflow", "store", "plans");
  return createMirroredPlans({ files, shared: shared.plans, notes });
}

/** What this machine has of them. */
export function openPlanFiles(repo: string): PlanFiles {
  const locks = createPidLocks({ folder: join(repo, ".pairflow", "locks"), marks: createProcessMarks() });
  const { crashPoint } = openRecordWorld(repo).world;
  return createFilePlans({ root: repo, reader: planReader, locks, crashPoint });
}

/** The names at the top of the repository, by which a constraint of one word can be a path. */
export function listTopLevel(repo: string): string[] {
  return readdirSync(repo).filter((name) => name !== ".git");
}

/** The committed plan of that slug: what tasks and execution begin with. */
export async function requireCommittedPlan(plans: PlanFiles, slug: string): Promise<Plan> {
  const plan = await requirePlan(plans, slug);
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
export async function createPlan(
  plans: PlanFiles,
  { document, slug, now, committed = false }: NewPlan,
): Promise<Plan> {
  const name = slug ?? slugifyTitle(document.title);
  const taken = await plans.list();
  refuseBadSlug(name);
  if (taken.includes(name)) {
    const free = incrementSlug(name, (one) => taken.includes(one));
    throw refuse("plan.exists", `there is a plan ${name} already`, `pairflow plan show ${name}`, [
      `to make another one beside it, add --slug ${free}`,
    ]);
  }
  const plan: Plan = {
    ...{ id: getPlanId(name), slug: name, title: document.title, committed: false },
    ...checkDocumentSize(document),
    created_at: now,
  };
  const said = `pairflow plan ${JSON.stringify(plan.title)} --mission "…" --execution "1. …"`;
  const made = committed ? commitPlanAt(plan, now, said) : plan;
  await plans.save(made);
  return made;
}

/** Refuses what cannot be the name of a plan, with one that can. */
export function refuseBadSlug(slug: string): void {
  if (isSlug(slug)) return;
  throw buildUsageError(
    "plan.bad-slug",
    `${JSON.stringify(slug)} is no name of a plan: 1–48 small letters, digits and -`,
    `--slug ${slugifyTitle(slug)}`,
  );
}

/** What an author wrote, tidied; refuses what is longer than a plan may be. */
function checkDocumentSize(document: PlanDocument, slug?: string): PlanDocument {
  const { title, ...text } = tidy(pickPlanDocument(document));
  const checked = check(PlanText, text);
  if (title === "" || title.length > 300)
    throw buildUsageError(
      "plan.bad-title",
      "a title has 1 to 300 characters",
      slug === undefined
        ? `pairflow plan "Add discounts"`
        : `pairflow plan edit ${slug} --set title="Add discounts"`,
    );
  if (checked.ok) return { title, ...text };
  const parts = checked.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw buildUsageError(
    "plan.too-long",
    `a part of the plan is too long: ${parts[0]}`,
    "shorten it",
    parts.slice(1),
  );
}

function commitPlanAt(plan: Plan, now: string, hint: string): Plan {
  const missing = listMissingPlanParts(plan);
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
  const tasks = parseExecutionTasks(plan);
  const problems = tasks.length > 0 ? checkPlanTasks(tasks, plan) : [];
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
  const plan = await requirePlan(plans, slug ?? (await chooseOnlyUncommitted(plans)));
  if (plan.committed) return plan;
  const committed = commitPlanAt(plan, now, `pairflow plan edit ${plan.slug}`);
  await plans.save(committed);
  return committed;
}

async function chooseOnlyUncommitted(plans: PlanFiles): Promise<string> {
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
  const plan = await requirePlan(plans, slug);
  refuseFrozenPlan(plan);
  const changed = { ...plan, ...checkDocumentSize(change(pickPlanDocument(plan)), slug) };
  await plans.save(changed);
  return changed;
}

export function refuseFrozenPlan({ slug, committed, committed_at }: Plan): void {
  if (!committed) return;
  throw refuse(
    "plan.frozen",
    `the plan ${slug} is committed since ${committed_at ?? "it was made"} and does not change any more`,
    `pairflow plan --supersede ${slug}`,
  );
}

export interface SupersedingPlan {
  readonly document: PlanDocument;
  readonly slug?: string;
  readonly now: string;
}

/** A committed plan that takes the place of another committed one, which stays as it is. */
export async function supersede(
  plans: PlanFiles,
  old: string,
  { document, slug, now }: SupersedingPlan,
): Promise<Plan> {
  await requireSupersedable(plans, old);
  const taken = await plans.list();
  const name = slug ?? incrementSlug(old, (one) => taken.includes(one));
  const coordination = markSuperseding(document.coordination, old);
  return createPlan(plans, { document: { ...document, coordination }, slug: name, now, committed: true });
}

/** The plan that shall be superseded: only a committed one needs it, and only one takes its place. */
export async function requireSupersedable(plans: PlanFiles, slug: string): Promise<Plan> {
  const plan = await requirePlan(plans, slug);
  const heir = await findSuccessor(plans, slug);
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
