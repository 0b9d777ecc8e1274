// What a plan's document says: the parts an author writes, in the one form in which they are kept.
import type { PlanText } from "../model/plan.ts";

/** What the document says: the parts an author writes. */
export interface PlanDocument extends PlanText {
  readonly title: string;
}

/** These parts of a plan, without what the author does not write. */
export function pickPlanDocument(plan: PlanDocument): PlanDocument {
  const { title, situation, mission, execution, constraints, coordination } = plan;
  return { title, situation, mission, execution, constraints, coordination };
}

/** The same plan as the document can say it: line ends, blank lines at the edges, one line for each constraint. */
export function tidy<T extends PlanDocument>(plan: T): T {
  const { constraints } = plan;
  return {
    ...plan,
    title: joinLines(plan.title),
    situation: tidyText(plan.situation),
    mission: tidyText(plan.mission),
    execution: tidyText(plan.execution),
    constraints: {
      in: tidyEntries(constraints.in),
      out: tidyEntries(constraints.out),
      do_not_touch: tidyEntries(constraints.do_not_touch),
    },
    coordination: tidyText(plan.coordination),
  };
}

export const joinLines = (text: string): string => text.replace(/\s+/g, " ").trim();
const tidyEntries = (entries: readonly string[]): string[] => entries.map(joinLines).filter(Boolean);

export function tidyText(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first < 0 ? "" : lines.slice(first, last + 1).join("\n");
}
