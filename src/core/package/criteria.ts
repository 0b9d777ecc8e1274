// The acceptance criteria of everything that is signed, each with who gave evidence for it on exactly this tree.
import type { State } from "../model/state.ts";
import { listPaperCriteria } from "../paper/criteria.ts";
import { buildCriterionId } from "../review/subjects.ts";

export interface CriterionView {
  /** As reviews name it; a criterion of one task has that task's key before it. */
  readonly id: string;
  readonly text: string;
  /** Agents whose clean review of exactly this tree has evidence for it; null: it was judged in its own task. */
  readonly evidence: readonly string[] | null;
}

/** Those of the whole, then those of each task of the workflow. */
export function buildCriterionViews(state: State): CriterionView[] {
  const whole = [...new Set([...state.task.criteria, ...listPaperCriteria(state)])];
  const clean = state.reviews.filter((review) => review.clean && review.tree === state.tree?.id);
  const proving = (id: string) =>
    clean.filter(({ proves = [] }) => proves.includes(id)).map(({ agent }) => agent);
  const common = whole.map((text, i) => ({
    id: buildCriterionId(i),
    text,
    evidence: [...new Set(proving(buildCriterionId(i)))],
  }));
  const tasks = (state.program.tasks ?? []).flatMap(({ key, criteria }) =>
    criteria.map((text, i) => ({ id: `${key} ${buildCriterionId(whole.length + i)}`, text, evidence: null })),
  );
  return [...common, ...tasks];
}

/** `C1 The total is right (evidence by bob, alice)`. */
export function describeCriterion({ id, text, evidence }: CriterionView): string {
  if (evidence === null) return `${id} ${text}`;
  return `${id} ${text} (${evidence.length > 0 ? `evidence by ${evidence.join(", ")}` : "no evidence on this tree"})`;
}
