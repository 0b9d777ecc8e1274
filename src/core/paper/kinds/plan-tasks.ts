// Tasks of a plan as a paper tells them: a list that covers the plan.
import * as v from "valibot";
import { type PlanTask, PlanTasks } from "../../model/plan.ts";
import { checkPlanTasks } from "../../plan/tasks/check.ts";
import { isObject } from "../../schema/absent.ts";
import { definePaperKind, type PaperContext } from "../kind.ts";
import { buildCriterion, checkPaths } from "../parts.ts";

export const tasks = definePaperKind({
  name: "tasks",
  about:
    "The committed plan as tasks, each small enough for one change, which together cover its success criteria.",
  schema: v.strictObject({ tasks: PlanTasks.entries.tasks }),
  example: {
    tasks: [
      {
        id: "t1",
        description: "Totals take a code off before tax",
        files: ["src/cart.ts", "tests/cart.test.ts"],
        criteria: [buildCriterion("a cart worth 100.00", "SAVE10 is used", "the total is 90.00")],
        depends_on: [],
        covers: ["S1"],
      },
      {
        id: "t2",
        description: "POST /cart/code takes a code",
        files: ["src/api.ts", "tests/api.test.ts"],
        criteria: [buildCriterion("no such code", "POST /cart/code is called", "the answer is 404")],
        depends_on: ["t1"],
        covers: ["S2"],
      },
    ],
  },
  problems: (value, context) => [
    ...checkPlanTasks(value.tasks, { mission: getMission(context) }),
    ...checkTaskPaths(value.tasks),
  ],
  complete: (value) => value,
});

/** The mission of the plan that tasks are made for. */
function getMission({ papers, payload }: PaperContext): string {
  const given = papers.plan ?? payload.plan;
  return isObject(given) && typeof given.mission === "string" ? given.mission : "";
}

export const checkTaskPaths = (given: readonly Pick<PlanTask, "files">[]): string[] =>
  checkPaths([...new Set(given.flatMap(({ files }) => files))]);
