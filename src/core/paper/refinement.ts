// What a planner or architect hands in when a task was cut wrongly or its design does not hold: why, and the task anew.
import * as v from "valibot";
import { Constraints, PlanTask } from "../model/plan.ts";
import { isObject } from "../schema/absent.ts";
import { nullable, object, text as textJson } from "../schema/json-schema.ts";
import { type PaperContext, paperKind } from "./kind.ts";
import { criteriaJson, criterion, pathProblems, text, textsJson } from "./parts.ts";
import { constraintsJson } from "./plan.ts";

const { description, files, criteria } = PlanTask.entries;

export const refinement = paperKind({
  name: "refinement",
  about: "Why the task could not be done as it was, what changes about the plan, and the task as it is now.",
  schema: v.strictObject({
    diagnosis: text(8000),
    change: text(8000),
    task: v.strictObject({ description, files, criteria }),
    constraints: v.optional(Constraints),
  }),
  json: object({
    diagnosis: textJson("why it could not be done as it was, with places"),
    change: textJson("what changes about the plan"),
    task: object({
      description: textJson("the task as it is now, complete in itself"),
      files: textsJson("paths or globs it changes"),
      criteria: criteriaJson,
    }),
    constraints: nullable(constraintsJson),
  }),
  example: {
    diagnosis: "The task takes codes off in src/api.ts, but totals are made in src/cart.ts:12",
    change: "Codes are taken off where totals are made; the API only hands them on",
    task: {
      description: "Take codes off in src/cart.ts and hand them on in src/api.ts",
      files: ["src/cart.ts", "src/api.ts"],
      criteria: [criterion("a cart worth 100.00", "SAVE10 is used", "the total is 90.00")],
    },
  },
  problems({ task, constraints }, context) {
    const isSame = plain(task.description) === plain(originalOf(context).description);
    const kept = constraints?.do_not_touch ?? [];
    const lost = constraints ? untouchable(context).filter((entry) => !kept.includes(entry)) : [];
    return [
      ...(isSame ? ["task.description is the one that could not be done; say what is different now"] : []),
      ...lost.map((entry) => `constraints.do_not_touch must keep ${entry}: a refinement only narrows`),
      ...pathProblems(task.files),
    ];
  },
  complete: (value) => value,
});

/** Words without their white space. */
export const plain = (words: string) => words.replace(/\s+/g, " ").trim();

/** The task that was sent back, as far as the run knows it. */
export function originalOf({ payload }: PaperContext): { description: string; files?: readonly unknown[] } {
  const { task_description: words, files: changed } = payload;
  return {
    description: typeof words === "string" ? words : "",
    ...(Array.isArray(changed) ? { files: changed } : {}),
  };
}

/** What the plan forbids to touch. */
function untouchable({ papers, payload }: PaperContext): string[] {
  const plan = papers.plan ?? payload.plan;
  const given = [isObject(plan) ? plan.constraints : undefined, payload.constraints];
  const lists = given.map((one) => (isObject(one) ? one.do_not_touch : undefined));
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : [])))];
}
