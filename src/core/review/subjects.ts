// What an approval must have evidence for: each SOP that applies to the tree, each acceptance criterion, each question
// of the pass's duty; where there is neither SOP nor criterion, each changed file.
import type { State } from "../model/state.ts";
import { listPaperCriteria } from "../paper/criteria.ts";
import { getCurrentTask } from "../state/workflow-position.ts";
import { findDueDuty } from "./duties.ts";

export interface Subject {
  readonly kind: "sop" | "criterion" | "duty" | "file";
  /** How evidence names it: an SOP's id, C1, a duty's question; a file is named by its path. */
  readonly id: string;
  readonly text: string;
}

/** Criteria are called C1, C2 … in this order. */
export const buildCriterionId = (index: number): string => `C${index + 1}`;

export const isCriterionId = (id: string): boolean => /^C[1-9]\d*$/.test(id);

/**
 * What must hold now: the criteria of the bubble's task, those of papers that were handed in (a user story, a plan), then
 * those of the workflow's task that is worked on.
 */
export function listCriteria(state: State): string[] {
  const all = [
    ...state.task.criteria,
    ...listPaperCriteria(state),
    ...(getCurrentTask(state)?.criteria ?? []),
  ];
  return [...new Set(all)];
}

/** The criteria with the ids by which evidence names them. */
export const listNamedCriteria = (state: State): { readonly id: string; readonly text: string }[] =>
  listCriteria(state).map((text, i) => ({ id: buildCriterionId(i), text }));

/** Everything that evidence may be said to be for: criteria, SOPs of this tree, questions of the duty, changed files. */
export function listEvidenceIds(state: State): string[] {
  const { sops = [] } = state.tree?.context ?? {};
  const files = listChangedFileSubjects(state).map(({ id }) => id);
  const subjects = listSubjects(state).map(({ id }) => id);
  return [...new Set([...subjects, ...sops.map(({ id }) => id), ...files])];
}

export function listSubjects(state: State): Subject[] {
  const sops = (state.tree?.context?.sops ?? [])
    .filter(({ severity }) => severity !== "info")
    .map(({ id, severity }): Subject => ({ kind: "sop", id, text: severity }));
  const criteria = listCriteria(state).map(
    (text, i): Subject => ({ kind: "criterion", id: buildCriterionId(i), text }),
  );
  const duty = (findDueDuty(state)?.questions ?? []).map(
    ({ id, ask }): Subject => ({ kind: "duty", id, text: ask }),
  );
  const wanted = [...sops, ...criteria];
  return [...(wanted.length > 0 ? wanted : listChangedFileSubjects(state)), ...duty];
}

function listChangedFileSubjects(state: State): Subject[] {
  return (state.tree?.files ?? []).map(({ path, status }) => ({ kind: "file", id: path, text: status }));
}
