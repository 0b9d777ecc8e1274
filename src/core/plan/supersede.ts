// Which committed plan another one takes the place of: said in Coordination, where people read it too.
import type { PlanText } from "../model/plan.ts";

const mark = /^Supersedes:\s*`?([a-z0-9][a-z0-9-]{0,47})`?\s*$/im;

/** The slug of the plan that this one supersedes. */
export function readSuperseded({ coordination }: Pick<PlanText, "coordination">): string | undefined {
  return mark.exec(coordination)?.[1];
}

/** The Coordination of a plan that supersedes another; what it said about an earlier one is replaced. */
export function markSuperseding(coordination: string, slug: string): string {
  const rest = coordination.replace(mark, "").trim();
  return [`Supersedes: ${slug}`, ...(rest === "" ? [] : ["", rest])].join("\n");
}
