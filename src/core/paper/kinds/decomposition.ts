// What is handed in when a task was too big: why, and the smaller tasks that stand for it.
import * as v from "valibot";
import { PlanTask } from "../../model/plan.ts";
import { defineTextField, describeField } from "../../model/value/field.ts";
import { checkPlanTasks } from "../../plan/tasks/check.ts";
import { definePaperKind, type PaperContext } from "../kind.ts";
import { buildCriterion } from "../parts.ts";
import { checkTaskPaths } from "./plan-tasks.ts";
import { collapseSpaces, readOriginalTask } from "./refinement.ts";

/** A text shorter than this says little about the size of its task. */
const telling = 200;

/** Tasks that stand for one that was too big need not say what they cover. */
const Part = v.strictObject({ ...PlanTask.entries, covers: describeField(PlanTask.entries.covers, "") });

export const decomposition = definePaperKind({
  name: "decomposition",
  about: "Why the task was too big, and the smaller tasks that together do what it asked.",
  schema: v.strictObject({
    diagnosis: defineTextField(8000, "why it was too big, with places"),
    change: defineTextField(8000, "how it is split, and why there"),
    tasks: describeField(v.pipe(v.array(Part), v.minLength(1), v.maxLength(50)), "at least two"),
  }),
  example: {
    diagnosis: "The task changes the store and every view of it at once",
    change: "The store first, then the views",
    tasks: [
      {
        id: "t1",
        description: "The store keeps prices as integers",
        files: ["src/store.ts"],
        criteria: [buildCriterion("a price of 9.99", "it is stored", "999 is kept")],
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
    ...checkPlanTasks(tasks.map(dropCover), { mission: "" }),
    ...checkTaskPaths(tasks),
    ...tasks
      .filter((task) => !isSmaller(task, context))
      .map(({ id }) => `${id} is as big as the task it is a part of`),
  ],
  complete: (value) => value,
});

/** The criteria of the plan are for the task as a whole. */
const dropCover = (task: PlanTask): PlanTask => ({ ...task, covers: [] });

/** Less to do by its text, or by its files. */
function isSmaller({ description, files }: PlanTask, context: PaperContext): boolean {
  const original = readOriginalTask(context);
  const whole = collapseSpaces(original.description);
  const own = collapseSpaces(description);
  if (own === whole) return false;
  const fewer = files.length > 0 && files.length < (original.files?.length ?? 0);
  return fewer || whole.length < telling || own.length < whole.length;
}
