// What a bubble is to do: its task word by word, its criteria, the plan it belongs to, and the papers that were accepted on the way.
import type { Plan } from "../../../model/plan.ts";
import type { State } from "../../../model/state.ts";
import { buildCriterionViews } from "../../../package/criteria.ts";
import { renderPaper } from "../../../paper/render.ts";
import { renderPlan } from "../../../plan/markdown.ts";
import type { BubbleHeader } from "../overview.ts";

export interface PaperRow {
  readonly kind: string;
  readonly agent: string;
  readonly at: string;
  readonly text: string;
}

export interface PlanPage extends BubbleHeader {
  readonly page: "plan";
  /** Markdown, as somebody wrote it. */
  readonly task: string;
  readonly criteria: ReturnType<typeof buildCriterionViews>;
  /** The plan whose task this is, as its document stands now. */
  readonly plan: {
    readonly slug: string;
    readonly title: string;
    readonly committed_at: string | null;
    readonly text: string;
  } | null;
  readonly papers: readonly PaperRow[];
  /** The bubble that has started this one, and for which of its tasks. */
  readonly parent: { readonly bubble: string; readonly key: string } | null;
  /** Bubbles whose work continues here, oldest first. */
  readonly lineage: readonly string[];
}

/** The plan that a bubble belongs to, by its slug. */
export function findPlanSlug({ program }: State): string | undefined {
  const slug = program.payload?.plan_slug;
  return typeof slug === "string" && slug !== "" ? slug : undefined;
}

export function buildPlanPage(
  header: BubbleHeader,
  state: State,
  { task, plan }: { readonly task: string; readonly plan: Plan | undefined },
): PlanPage {
  const { papers = {}, parent, lineage = [] } = state;
  return {
    ...header,
    page: "plan",
    task: task || state.task.excerpt,
    criteria: buildCriterionViews(state),
    plan: plan ? describePlan(plan) : null,
    papers: Object.entries(papers).map(([kind, { agent, at, value }]) => ({
      kind: kind.replaceAll("_", " "),
      agent,
      at,
      text: renderPaper(value),
    })),
    parent: parent ? { bubble: parent.bubble, key: parent.key } : null,
    lineage: lineage.map(({ bubble }) => bubble),
  };
}

const describePlan = (plan: Plan): NonNullable<PlanPage["plan"]> => ({
  slug: plan.slug,
  title: plan.title,
  committed_at: plan.committed_at ?? null,
  text: renderPlan(plan),
});
