// Tasks of a plan as papers tell them: a list that covers the plan, and the form it is asked for in.
import * as v from "valibot";
import type { PlanTask } from "../model/plan.ts";
import { PlanTasks } from "../model/plan.ts";
import { taskProblems } from "../plan/check-tasks.ts";
import { isObject } from "../schema/absent.ts";
import { list, object, type Schema, text as textJson } from "../schema/json-schema.ts";
import { type PaperContext, paperKind } from "./kind.ts";
import { criteriaJson, criterion, pathProblems, textsJson } from "./parts.ts";

export const taskList = PlanTasks.entries.tasks;

const taskProperties: Readonly<Record<string, Schema>> = {
  id: textJson("t1, t2 …"),
  description: textJson("what is to be done, complete in itself"),
  files: textsJson("paths or globs it changes; tasks that share files do not run side by side"),
  criteria: criteriaJson,
  depends_on: textsJson("ids of tasks that come first; may be empty"),
};
/** Tasks that stand for one that was too big need not say what they cover. */
export const partsJson = list(object(taskProperties), "at least two");
const tasksJson = list(
  object({ ...taskProperties, covers: textsJson("success criteria of the plan it fulfils: S1, S2 …") }),
  "each small enough for one change",
);

export const tasks = paperKind({
  name: "tasks",
  about:
    "The committed plan as tasks, each small enough for one change, which together cover its success criteria.",
  schema: v.strictObject({ tasks: taskList }),
  json: object({ tasks: tasksJson }),
  example: {
    tasks: [
      {
        id: "t1",
        description: "Totals take a code off before tax",
        files: ["src/cart.ts", "tests/cart.test.ts"],
        criteria: [criterion("a cart worth 100.00", "SAVE10 is used", "the total is 90.00")],
        depends_on: [],
        covers: ["S1"],
      },
      {
        id: "t2",
        description: "POST /cart/code takes a code",
        files: ["src/api.ts", "tests/api.test.ts"],
        criteria: [criterion("no such code", "POST /cart/code is called", "the answer is 404")],
        depends_on: ["t1"],
        covers: ["S2"],
      },
    ],
  },
  problems: (value, context) => [
    ...taskProblems(value.tasks, { mission: missionOf(context) }),
    ...taskPaths(value.tasks),
  ],
  complete: (value) => value,
});

/** The mission of the plan that tasks are made for. */
function missionOf({ papers, payload }: PaperContext): string {
  const given = papers.plan ?? payload.plan;
  return isObject(given) && typeof given.mission === "string" ? given.mission : "";
}

export const taskPaths = (given: readonly Pick<PlanTask, "files">[]): string[] =>
  pathProblems([...new Set(given.flatMap(({ files }) => files))]);
