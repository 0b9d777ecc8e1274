// What is handed in when a task was too big: why, and the smaller tasks that stand for it.
import * as v from "valibot";
import type { PlanTask } from "../model/plan.ts";
import { taskProblems } from "../plan/check-tasks.ts";
import { object, text as textJson } from "../schema/json-schema.ts";
import { type PaperContext, paperKind } from "./kind.ts";
import { criterion, text } from "./parts.ts";
import { partsJson, taskList, taskPaths } from "./plan-tasks.ts";
import { originalOf, plain } from "./refinement.ts";

/** A text shorter than this says little about the size of its task. */
const telling = 200;

export const decomposition = paperKind({
  name: "decomposition",
  about: "Why the task was too big, and the smaller tasks that together do what it asked.",
  schema: v.strictObject({ diagnosis: text(8000), change: text(8000), tasks: taskList }),
  json: object({
    diagnosis: textJson("why it was too big, with places"),
    change: textJson("how it is split, and why there"),
    tasks: partsJson,
  }),
  example: {
    diagnosis: "The task changes the store and every view of it at once",
    change: "The store first, then the views",
    tasks: [
      {
        id: "t1",
        description: "The store keeps prices as integers",
        files: ["src/store.ts"],
        criteria: [criterion("a price of 9.99", "it is stored", "999 is kept")],
        depends_on: [],
      },
      {
        id: "t2",
        description: "The views show them",
        files: ["src/view.ts"],
        criteria: [],
        depends_on: ["t1"],
      },
    ],
  },
  problems: ({ tasks }, context) => [
    ...(tasks.length < 2 ? ["one task is no decomposition: give at least two"] : []),
    ...taskProblems(tasks.map(withoutCover), { mission: "" }),
    ...taskPaths(tasks),
    ...tasks
      .filter((task) => !isSmaller(task, context))
      .map(({ id }) => `${id} is as big as the task it is a part of`),
  ],
  complete: (value) => value,
});

/** The criteria of the plan are for the task as a whole. */
const withoutCover = (task: PlanTask): PlanTask => ({ ...task, covers: [] });

/** Less to do by its text, or by its files. */
function isSmaller({ description, files }: PlanTask, context: PaperContext): boolean {
  const original = originalOf(context);
  const whole = plain(original.description);
  const own = plain(description);
  if (own === whole) return false;
  const fewer = files.length > 0 && files.length < (original.files?.length ?? 0);
  return fewer || whole.length < telling || own.length < whole.length;
}
