// How feedback is fixed where a chain of critics continues after an objection: without debate, at the root.
import type { State } from "../model/state.ts";
import { listOpenFindings } from "../state/severity.ts";
import { getLoop, getTaskProgress } from "../state/workflow-position.ts";
import { renderBullets, renderSection } from "./parts.ts";

const everybody = [
  "Take all feedback as it is, without debate. One finding that is wrong may be disputed, as a claim of its own with proof; arguments anywhere else are not read.",
  "Fix root causes, not symptoms.",
];

const rules = {
  producer: [
    ...everybody,
    "Run the tests after every change of code.",
    "If the architecture changes by it, update the documents that describe the plan.",
    "Add nothing new: no other change, no new defect.",
  ],
  author: [
    ...everybody,
    "If the approach changes by it, change every part of the paper that speaks of it: steps, files, test commands.",
    "Add nothing new; hand in the whole paper again, not only what changed.",
  ],
} as const;

/** Nothing unless critics have objected, and are asked one after the other until all have passed. */
export function buildFixingSection(state: State, side: keyof typeof rules): string {
  const applies = getLoop(state).chain_order === "go_on" && isObjected(state);
  return renderSection("How to fix it", applies ? renderBullets(rules[side]) : "");
}

/** What an earlier part of the workflow was told does not count here. */
function isObjected(state: State): boolean {
  const { lastReview: last } = state;
  const isOwn = last !== undefined && last.seq >= (getTaskProgress(state)?.seq ?? 0);
  return listOpenFindings(state).length > 0 || (isOwn && !last.approved);
}
