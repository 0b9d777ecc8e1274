// The refined plan of a pipeline: the approach, the steps file by file, and the commands that show whether it works.
import * as v from "valibot";
import { isObject } from "../schema/absent.ts";
import { list, maybe, object, text as textJson } from "../schema/json-schema.ts";
import {
  Commands,
  commandProblems,
  commandsJson,
  patternEntries,
  patternsOf,
  tidyCommands,
} from "./commands.ts";
import { type PaperContext, paperKind } from "./kind.ts";
import {
  Implementation,
  idOf,
  implementationJson,
  type Mode,
  modes,
  pathProblems,
  repeated,
  settingsOf,
  text,
  texts,
  textsJson,
  usualIterations,
  usualMode,
} from "./parts.ts";

const PlanStep = v.strictObject({
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  phase: v.optional(text(60), "implementation"),
  file: v.optional(text(500)),
  action: text(60),
  description: text(4000),
});
type PlanStep = v.InferOutput<typeof PlanStep>;

const PlanRefined = v.strictObject({
  id: v.optional(text(60)),
  title: text(300),
  technical_approach: v.strictObject({ pattern: text(2000), rationale: text(4000) }),
  steps: v.optional(v.pipe(v.array(PlanStep), v.maxLength(100)), []),
  files_to_modify: texts,
  files_to_create: texts,
  test_plan: v.optional(v.strictObject({ commands: Commands, ...patternEntries }), {}),
  implementation: Implementation,
  completion_promise: v.optional(text(200)),
});
type PlanRefined = v.InferOutput<typeof PlanRefined>;

const usualPromise = "<promise>IMPLEMENTATION_COMPLETE</promise>";

/** Steps of these actions change no file that must be announced. */
const changesNothing = new Set(["run", "test", "verify", "check", "review", "read", "delete", "remove"]);

export const planRefined = paperKind({
  name: "plan-refined",
  about: "How the user story is implemented: the approach, each step with its file, and the test commands.",
  schema: PlanRefined,
  json: object({
    title: textJson("the feature"),
    technical_approach: object({
      pattern: textJson("the approach in a sentence"),
      rationale: textJson("why this one, with places of the code"),
    }),
    steps: list(
      object({
        id: { type: "integer", description: "1, 2 …" },
        phase: textJson("such as tests or implementation"),
        file: maybe("path in the worktree; null when no file is changed"),
        action: textJson("modify, create, delete, run or verify"),
        description: textJson("what is done there"),
      }),
      "in order; at least one",
    ),
    files_to_modify: textsJson("existing files that are changed"),
    files_to_create: textsJson("new files"),
    test_plan: object({ commands: commandsJson }),
    implementation: implementationJson,
    completion_promise: maybe("null: as the settings say"),
  }),
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
      ...repeated(plan.steps.map(({ id }) => id)).map((id) => `two steps have the id ${id}`),
      ...pathProblems([...new Set(filesOf(plan))]),
      ...plan.steps.flatMap((step) => stepProblems(step, plan)),
      ...commandProblems("test_plan", plan.test_plan, context),
    ];
  },
  complete: (plan, context) => ({
    id: idOf("plan-refined", "plan", plan.id, context),
    title: plan.title,
    technical_approach: plan.technical_approach,
    steps: plan.steps,
    files_to_modify: plan.files_to_modify,
    files_to_create: plan.files_to_create,
    test_plan: { commands: tidyCommands(plan.test_plan.commands), ...patternsOf(plan.test_plan) },
    ...decided(plan, context),
  }),
});

const filesOf = ({ steps, files_to_modify: changed, files_to_create: made }: PlanRefined): string[] => [
  ...changed,
  ...made,
  ...steps.flatMap(({ file }) => file ?? []),
];

function stepProblems({ id, file, action }: PlanStep, plan: PlanRefined): string[] {
  if (changesNothing.has(action.toLowerCase())) return [];
  if (file === undefined) return [`step ${id} (${action}) names no file`];
  const isNew = action.toLowerCase() === "create";
  const listed = isNew ? plan.files_to_create : [...plan.files_to_modify, ...plan.files_to_create];
  if (listed.includes(file)) return [];
  return [`step ${id}: ${file} is not in files_to_${isNew ? "create" : "modify or files_to_create"}`];
}

/** The human's settings come first, then the plan, then the user story, then what is usual. */
function decided(plan: PlanRefined, context: PaperContext) {
  const settings = settingsOf(context);
  const story = storysImplementation(context);
  const { mode, max_iterations: most } = plan.implementation;
  return {
    implementation: {
      mode: settings.mode ?? mode ?? story.mode ?? settings.defaultMode ?? usualMode,
      max_iterations: most ?? story.iterations ?? settings.defaultMaxIterations ?? usualIterations,
    },
    completion_promise: settings.completionPromise ?? plan.completion_promise ?? usualPromise,
  };
}

function storysImplementation({ papers }: PaperContext): { mode?: Mode; iterations?: number } {
  const said = papers["user-story"]?.implementation;
  if (!isObject(said)) return {};
  const mode = modes.find((known) => known === said.mode);
  const { max_iterations: most } = said;
  return { ...(mode ? { mode } : {}), ...(typeof most === "number" ? { iterations: most } : {}) };
}
