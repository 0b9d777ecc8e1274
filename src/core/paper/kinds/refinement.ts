// What a planner or architect hands in when a task was cut wrongly or its design does not hold: why, and the task anew.
import * as v from "valibot";
import { Constraints, PlanTask } from "../../model/plan.ts";
import { defineTextField, describeField } from "../../model/value/field.ts";
import { isObject } from "../../schema/absent.ts";
import { definePaperKind, type PaperContext } from "../kind.ts";
import { buildCriterion, checkPaths } from "../parts.ts";

const { description, files, criteria } = PlanTask.entries;

export const refinement = definePaperKind({
  name: "refinement",
  about: "Why the task could not be done as it was, what changes about the plan, and the task as it is now.",
  schema: v.strictObject({
    diagnosis: defineTextField(8000, "why it could not be done as it was, with places"),
    change: defineTextField(8000, "what changes about the plan"),
    task: v.strictObject({
      description: describeField(description, "the task as it is now, complete in itself"),
      files: describeField(files, "paths or globs it changes"),
      criteria,
    }),
    constraints: v.optional(Constraints),
  }),
  example: {
    diagnosis: "The task takes codes off in src/api.ts, but totals are made in src/cart.ts:12",
    change: "Codes are taken off where totals are made; the API only hands them on",
    task: {
      description: "Take codes off in src/cart.ts and hand them on in src/api.ts",
      files: ["src/cart.ts", "src/api.ts"],
      criteria: [buildCriterion("a cart worth 100.00", "SAVE10 is used", "the total is 90.00")],
    },
  },
  problems({ task, constraints }, context) {
    const isSame = collapseSpaces(task.description) === collapseSpaces(readOriginalTask(context).description);
    const kept = constraints?.do_not_touch ?? [];
    const lost = constraints ? listUntouchable(context).filter((entry) => !kept.includes(entry)) : [];
    return [
      ...(isSame ? ["task.description is the one that could not be done; say what is different now"] : []),
      ...lost.map((entry) => `constraints.do_not_touch must keep ${entry}: a refinement only narrows`),
      ...checkPaths(task.files),
    ];
  },
  complete: (value) => value,
});

/** Words without their white space. */
export const collapseSpaces = (words: string) => words.replace(/\s+/g, " ").trim();

/** The task that was sent back, as far as the run knows it. */
export function readOriginalTask({ payload }: PaperContext): {
  description: string;
  files?: readonly unknown[];
} {
  const { task_description: words, files: changed } = payload;
  return {
    description: typeof words === "string" ? words : "",
    ...(Array.isArray(changed) ? { files: changed } : {}),
  };
}

/** What the plan forbids to touch. */
function listUntouchable({ papers, payload }: PaperContext): string[] {
  const plan = papers.plan ?? payload.plan;
  const given = [isObject(plan) ? plan.constraints : undefined, payload.constraints];
  const lists = given.map((one) => (isObject(one) ? one.do_not_touch : undefined));
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : [])))];
}
