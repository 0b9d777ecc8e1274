// A plan: what is to be done and why, as one document. Uncommitted it is a scratchpad; committed it is frozen and drives
// tasks. The fields are those of the printed entity, in its order.
import * as v from "valibot";
import { describeField } from "./value/field.ts";

/** Characters of a constraint and of each part of a criterion. */
export const longestLine = 2000;
/** Characters of a path that a task names. */
export const longestPath = 300;
/** Success criteria that one task may fulfil. */
export const mostCovered = 50;

const defineText = (max: number) => v.pipe(v.string(), v.maxLength(max));
const defineLine = (about = "") =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(longestLine), v.description(about));
const defineLines = (about: string) =>
  describeField(v.optional(v.pipe(v.array(defineLine()), v.maxLength(100)), []), about);

export const Slug = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,47}$/, "must be a slug like add-login"));

/** What may be changed, in paths and globs (which the referee enforces) or in words (which a critic judges). */
export const Constraints = v.strictObject({
  in: defineLines("what is in scope: paths, globs or words"),
  out: defineLines("what is excluded"),
  do_not_touch: defineLines("files and systems that must not be modified"),
});
export type Constraints = v.InferOutput<typeof Constraints>;

/** The parts an author writes. */
export const PlanText = v.strictObject({
  situation: defineText(8000),
  mission: defineText(8000),
  execution: defineText(16_000),
  constraints: Constraints,
  coordination: defineText(8000),
});
export type PlanText = v.InferOutput<typeof PlanText>;

export const Plan = v.strictObject({
  id: v.pipe(v.string(), v.maxLength(80)),
  slug: Slug,
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
  /** false: exploration; true: frozen intent. */
  committed: v.boolean(),
  ...PlanText.entries,
  created_at: v.pipe(v.string(), v.maxLength(40)),
  committed_at: v.optional(v.pipe(v.string(), v.maxLength(40))),
});
export type Plan = v.InferOutput<typeof Plan>;

/** One criterion a task is done by. */
export const Criterion = v.strictObject({
  given: defineLine("given …"),
  when: defineLine("when …"),
  // biome-ignore lint/suspicious/noThenProperty: the criterion's own word; nobody awaits a criterion.
  then: defineLine("then …"),
});
export type Criterion = v.InferOutput<typeof Criterion>;

/** One task of a plan: small enough for one bubble. */
export const PlanTask = v.strictObject({
  id: describeField(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,23}$/, "must be a short id like t1")),
    "t1, t2 …",
  ),
  description: describeField(
    v.pipe(v.string(), v.minLength(1), v.maxLength(4000)),
    "what is to be done, complete in itself",
  ),
  files: describeField(
    v.optional(
      v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(longestPath))), v.maxLength(50)),
      [],
    ),
    "paths or globs it changes; tasks that share files do not run side by side",
  ),
  criteria: describeField(
    v.optional(v.pipe(v.array(Criterion), v.maxLength(20)), []),
    "what it is done by; may be empty",
  ),
  depends_on: describeField(
    v.optional(v.pipe(v.array(v.string()), v.maxLength(50)), []),
    "ids of tasks that come first; may be empty",
  ),
  covers: describeField(
    v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(mostCovered)), []),
    "success criteria of the plan it fulfils: S1, S2 …",
  ),
});
export type PlanTask = v.InferOutput<typeof PlanTask>;

/** tasks.json of a plan. */
export const PlanTasks = v.strictObject({
  plan: v.pipe(v.string(), v.maxLength(80)),
  /** Their origin: from the numbered lines of Execution, or from a planner's turn. */
  from: v.picklist(["execution", "planner"]),
  confirmed_at: v.optional(v.pipe(v.string(), v.maxLength(40))),
  /** Hash of the tasks that were confirmed: changed since, they are not. */
  confirmed_sha256: v.optional(v.pipe(v.string(), v.maxLength(64))),
  tasks: describeField(
    v.pipe(v.array(PlanTask), v.minLength(1), v.maxLength(50)),
    "each small enough for one change",
  ),
});
export type PlanTasks = v.InferOutput<typeof PlanTasks>;

/** What a refinement has changed about a committed plan; the plan itself stays as it was signed. */
export const Amendment = v.strictObject({
  /** The bubble that made it: told twice it counts once. */
  bubble: v.pipe(v.string(), v.maxLength(63)),
  at: v.pipe(v.string(), v.maxLength(40)),
  /** The workflow that made it: plan-refinement, design-refinement, task-decomposition. */
  by: v.pipe(v.string(), v.maxLength(60)),
  task: v.pipe(v.string(), v.maxLength(80)),
  diagnosis: defineText(8000),
  change: defineText(8000),
});
export type Amendment = v.InferOutput<typeof Amendment>;
