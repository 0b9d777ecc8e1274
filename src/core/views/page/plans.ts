// Plans of all repositories, those that nobody has committed to first; and one of them with its document, its tasks and its run.
import type { Amendment, Plan, PlanTasks } from "../../model/plan.ts";
import { renderPlan } from "../../plan/markdown.ts";
import { parseSuccessCriteria, type SuccessCriterion } from "../../plan/success.ts";
import type { TreeNode } from "../tree/run.ts";
import type { PageHeader } from "./payload.ts";

/** What a listing of plans knows of one. */
export interface ListedPlan {
  readonly slug: string;
  readonly title: string;
  readonly state: "uncommitted" | "committed" | "superseded" | "unreadable";
  readonly created_at?: string;
  readonly committed_at?: string;
  readonly superseded_by?: string;
  /** What to type next; for one that cannot be used, what fixes it. */
  readonly next: string;
  /** How many tasks it has, and whether a person has confirmed them. */
  readonly tasks?: { readonly number: number; readonly confirmed: boolean };
  /** Why it is unreadable. */
  readonly problem?: string;
}

export interface ListedPlanRow {
  readonly repo: string;
  readonly slug: string;
  readonly title: string;
  readonly state: ListedPlan["state"];
  readonly created_at: string | null;
  readonly committed_at: string | null;
  readonly superseded_by: string | null;
  readonly tasks: { readonly number: number; readonly confirmed: boolean } | null;
  readonly problem: string | null;
  /** What to type next. */
  readonly next: string;
}

export interface PlansPage extends PageHeader {
  readonly page: "plans";
  readonly plans: readonly ListedPlanRow[];
}

export interface OnePlanPage extends PageHeader {
  readonly page: "one-plan";
  readonly plan: ListedPlanRow;
  /** Markdown; empty where the plan cannot be read. */
  readonly text: string;
  readonly criteria: readonly SuccessCriterion[];
  readonly tasks: readonly {
    readonly id: string;
    readonly description: string;
    readonly files: readonly string[];
    readonly depends_on: readonly string[];
    readonly covers: readonly string[];
  }[];
  readonly amendments: readonly Amendment[];
  /** Its newest run, as a tree. */
  readonly run: TreeNode | null;
}

export function buildPlanRow(repo: string, plan: ListedPlan): ListedPlanRow {
  const { slug, title, state, next, tasks, problem } = plan;
  return {
    ...{ repo, slug, title, state, next },
    created_at: plan.created_at ?? null,
    committed_at: plan.committed_at ?? null,
    superseded_by: plan.superseded_by ?? null,
    tasks: tasks ?? null,
    problem: problem ?? null,
  };
}

/** Those that wait for somebody first, whatever repository they are of; the oldest first. */
export function sortPlanRows(rows: readonly ListedPlanRow[]): ListedPlanRow[] {
  const order: readonly ListedPlan["state"][] = ["unreadable", "uncommitted", "committed", "superseded"];
  return [...rows].sort(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) ||
      (a.created_at ?? "").localeCompare(b.created_at ?? "") ||
      a.slug.localeCompare(b.slug),
  );
}

export interface PlanParts {
  readonly repositories: readonly string[];
  readonly row: ListedPlanRow;
  /** Undefined where it cannot be read. */
  readonly plan?: Plan | undefined;
  readonly tasks?: PlanTasks | undefined;
  readonly amendments: readonly Amendment[];
  readonly run?: TreeNode | undefined;
}

export function buildOnePlanPage({
  repositories,
  row,
  plan,
  tasks,
  amendments,
  run,
}: PlanParts): Omit<OnePlanPage, "words"> {
  return {
    page: "one-plan",
    repositories,
    waiting: null,
    // What has a run is followed there.
    plan: run ? { ...row, next: `pairflow plan status ${row.slug}` } : row,
    text: plan ? renderPlan(plan) : "",
    criteria: plan ? parseSuccessCriteria(plan) : [],
    tasks: (tasks?.tasks ?? []).map(({ id, description, files, depends_on, covers }) => ({
      ...{ id, description, files, depends_on, covers },
    })),
    amendments,
    run: run ?? null,
  };
}
