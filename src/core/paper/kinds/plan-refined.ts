// The refined plan of a pipeline: the approach, the steps file by file, and the commands that show whether it works.
import * as v from "valibot";
import { defineTextField, describeField } from "../../model/value/field.ts";
import { isObject } from "../../schema/absent.ts";
import { Commands, checkCommands, olderPatterns, pickPatterns, tidyCommands } from "../commands.ts";
import { definePaperKind, type PaperContext } from "../kind.ts";
import {
  asTheSettingsSay,
  buildPaperId,
  checkPaths,
  defineTexts,
  findRepeated,
  Implementation,
  type Mode,
  modes,
  readPayloadSettings,
  usualIterations,
  usualMode,
} from "../parts.ts";

const PlanStep = v.strictObject({
  id: describeField(v.pipe(v.number(), v.integer(), v.minValue(1)), "1, 2 …"),
  phase: v.optional(defineTextField(60, "such as tests or implementation"), "implementation"),
  file: v.optional(defineTextField(500, "path in the worktree; null when no file is changed")),
  action: defineTextField(60, "modify, create, delete, run or verify"),
  description: defineTextField(4000, "what is done there"),
});
type PlanStep = v.InferOutput<typeof PlanStep>;

const PlanRefined = v.strictObject({
  id: v.optional(defineTextField(60)),
  title: defineTextField(300, "the feature"),
  technical_approach: v.strictObject({
    pattern: defineTextField(2000, "the approach in a sentence"),
    rationale: defineTextField(4000, "why this one, with places of the code"),
  }),
  steps: describeField(v.optional(v.pipe(v.array(PlanStep), v.maxLength(100)), []), "in order; at least one"),
  files_to_modify: defineTexts("existing files that are changed"),
  files_to_create: defineTexts("new files"),
  test_plan: v.optional(v.strictObject({ commands: Commands, ...olderPatterns }), {}),
  implementation: Implementation,
  completion_promise: v.optional(defineTextField(200, asTheSettingsSay)),
});
type PlanRefined = v.InferOutput<typeof PlanRefined>;

const usualPromise = "<promise>IMPLEMENTATION_COMPLETE</promise>";

/** Steps of these actions change no file that must be announced. */
const changesNothing = new Set(["run", "test", "verify", "check", "review", "read", "delete", "remove"]);

export const planRefined = definePaperKind({
  name: "plan-refined",
  about: "How the user story is implemented: the approach, each step with its file, and the test commands.",
  schema: PlanRefined,
  example: {
    title: "Discount codes in the cart",
    technical_approach: {
      pattern: "One function that takes the code off, called where totals are made",
      rationale: "src/cart.ts:12 makes every total, so nothing else has to change",
    },
    steps: [
      {
        id: 1,
        phase: "tests",
        file: "tests/code.test.ts",
        action: "create",
        description: "A test for AC1 that fails without the function",
      },
      {
        id: 2,
        phase: "implementation",
        file: "src/cart.ts",
        action: "modify",
        description: "Take the code off the net sum, before the tax",
      },
    ],
    files_to_modify: ["src/cart.ts"],
    files_to_create: ["tests/code.test.ts"],
    test_plan: {
      commands: [{ command: "npm test" }, { command: "npm run lint", failure_pattern: "^error" }],
    },
    implementation: { mode: "ralph-loop", max_iterations: 10 },
  },
  problems(plan, context) {
    return [
      ...(plan.steps.length === 0 ? ["steps is empty: say at least one"] : []),
      ...findRepeated(plan.steps.map(({ id }) => id)).map((id) => `two steps have the id ${id}`),
      ...checkPaths([...new Set(listFiles(plan))]),
      ...plan.steps.flatMap((step) => listStepProblems(step, plan)),
      ...checkCommands("test_plan", plan.test_plan, context),
    ];
  },
  complete: (plan, context) => ({
    id: buildPaperId("plan-refined", "plan", plan.id, context),
    title: plan.title,
    technical_approach: plan.technical_approach,
    steps: plan.steps,
    files_to_modify: plan.files_to_modify,
    files_to_create: plan.files_to_create,
    test_plan: { commands: tidyCommands(plan.test_plan.commands), ...pickPatterns(plan.test_plan) },
    ...resolveSettings(plan, context),
  }),
});

const listFiles = ({ steps, files_to_modify: changed, files_to_create: made }: PlanRefined): string[] => [
  ...changed,
  ...made,
  ...steps.flatMap(({ file }) => file ?? []),
];

function listStepProblems({ id, file, action }: PlanStep, plan: PlanRefined): string[] {
  if (changesNothing.has(action.toLowerCase())) return [];
  if (file === undefined) return [`step ${id} (${action}) names no file`];
  const isNew = action.toLowerCase() === "create";
  const listed = isNew ? plan.files_to_create : [...plan.files_to_modify, ...plan.files_to_create];
  if (listed.includes(file)) return [];
  return [`step ${id}: ${file} is not in files_to_${isNew ? "create" : "modify or files_to_create"}`];
}

/** The human's settings come first, then the plan, then the user story, then what is usual. */
function resolveSettings(plan: PlanRefined, context: PaperContext) {
  const settings = readPayloadSettings(context);
  const story = findStoryImplementation(context);
  const { mode, max_iterations: most } = plan.implementation;
  return {
    implementation: {
      mode: settings.mode ?? mode ?? story.mode ?? settings.defaultMode ?? usualMode,
      max_iterations: most ?? story.iterations ?? settings.defaultMaxIterations ?? usualIterations,
    },
    completion_promise: settings.completionPromise ?? plan.completion_promise ?? usualPromise,
  };
}

function findStoryImplementation({ papers }: PaperContext): { mode?: Mode; iterations?: number } {
  const said = papers["user-story"]?.implementation;
  if (!isObject(said)) return {};
  const mode = modes.find((known) => known === said.mode);
  const { max_iterations: most } = said;
  return { ...(mode ? { mode } : {}), ...(typeof most === "number" ? { iterations: most } : {}) };
}
