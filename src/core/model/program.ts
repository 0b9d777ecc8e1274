// A workflow after loading: the steps a bubble runs, as plain data. Every source form (tasks with overlays, steps with
// actions, steps with kinds) ends up here, and one interpreter runs it. The pinned program is part of the record, so
// that a bubble means the same on the day it started and on the day it is replayed.
import * as v from "valibot";
import { Dialect } from "./review/verdict.ts";

/** `design/gates` is a step that belongs to the task `design`. */
export const Name = v.pipe(v.string(), v.regex(/^\$?[a-z][a-z0-9_/-]{0,79}$/i, "must be a short word"));
const text = v.pipe(v.string(), v.maxLength(16_000));
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const seconds = v.pipe(v.number(), v.gtValue(0), v.maxValue(31_536_000));
/** A condition in the language of conditions (core/workflow/condition.ts), checked when the workflow is loaded. */
const Condition = v.pipe(v.string(), v.minLength(1), v.maxLength(2000));
/** Values with `${path}` references in them, filled in when the step runs. */
const Payload = v.record(v.string(), v.unknown());

/** Where an outcome leads, and what changes on the way. */
export const Route = v.strictObject({
  /** A step, or `$cancel` (the bubble ends), `$resume` (what a limit held back), `$next` (the next task). */
  to: Name,
  /** `next`: taking this route begins a new round (and spends one of the budget). */
  round: v.optional(v.picklist(["same", "next"]), "same"),
  /** `swap`: producer and critic exchange their agents. */
  roles: v.optional(v.picklist(["keep", "swap"]), "keep"),
});
export type Route = v.InferOutput<typeof Route>;
const Routes = v.record(Name, Route);

const common = {
  name: Name,
  on: Routes,
  /** The task this step belongs to; absent in workflows without tasks. */
  task: v.optional(Name),
  /** Entered only if this holds; otherwise the outcome is `unmet`. */
  when: v.optional(Condition),
  /** Enforced; time in which a human is asked does not count. */
  timeout_s: v.optional(seconds),
  /** What people call the run while it is here; absent: the name of the step. */
  state: v.optional(Name),
};

export const Child = v.strictObject({
  /** Part of the child's id: parent + key. */
  key: Name,
  /** A task of this program, or another workflow by name. */
  task: v.optional(Name),
  workflow: v.optional(v.string()),
  payload: v.optional(Payload),
  /** What it is about, where that is not its parent's task. */
  brief: v.optional(
    v.strictObject({
      title: v.pipe(v.string(), v.maxLength(300)),
      text,
      criteria: v.array(v.pipe(v.string(), v.maxLength(2000))),
    }),
  ),
  /** What it may change, beside what its parent may. */
  scope: v.optional(
    v.strictObject({ in: v.array(v.string()), out: v.array(v.string()), do_not_touch: v.array(v.string()) }),
  ),
});
export type Child = v.InferOutput<typeof Child>;

export const Step = v.variant("kind", [
  v.strictObject({
    ...common,
    kind: v.literal("turn"),
    role: Name,
    /** Producers continue in their session; critics start fresh. */
    session: v.picklist(["resumed", "fresh"]),
    /** What the turn hands in: changed files with a package, findings about a tree, a score of it, or a paper. */
    answer: v.picklist(["handoff", "findings", "score", "paper"]),
    /** The kind of paper (core/paper) that is handed in. Its author reads and changes no file. */
    paper: v.optional(Name),
    /** The last critic of a chain continues in its own session, told what has changed since. */
    last_session: v.optional(v.literal("resumed")),
    /** What a critic must answer on top, one duty a clean pass (core/review/duties.ts). */
    duties: v.optional(v.pipe(v.array(Name), v.minLength(1))),
    /** How often a turn that ends without an answer is started again. */
    retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 2),
    /** The workflow's own words for this turn, with references. */
    prompt: v.optional(text),
    /** The model this turn is for, with references; empty or absent: the agent's own. */
    model: v.optional(v.pipe(v.string(), v.maxLength(500))),
    /** A step `validate` follows: a review whose evidence does not hold is handed on to it after the re-asks. */
    validated: v.optional(v.boolean()),
  }),
  v.strictObject({ ...common, kind: v.literal("gates") }),
  /** What the critic of this tree is told from the project's knowledge: ready, or not to be had. */
  v.strictObject({ ...common, kind: v.literal("context") }),
  /** Whether the newest review counts: coverage, evidence, consistency, confidence. */
  v.strictObject({
    ...common,
    kind: v.literal("validate"),
    min_confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  }),
  v.strictObject({ ...common, kind: v.literal("check"), check: Name }),
  /** Nothing but its condition. */
  v.strictObject({
    ...common,
    kind: v.literal("branch"),
    if: Condition,
    /** What people and agents are told about the way that was taken; absent: the condition. */
    say: v.optional(v.strictObject({ yes: v.optional(text), no: v.optional(text) })),
  }),
  v.strictObject({
    ...common,
    kind: v.literal("question"),
    ask: Name,
    /** What is asked, with references; absent: the question's own words. */
    text: v.optional(text),
    /** The paper that is shown with it. */
    shows: v.optional(Name),
  }),
  /** Starts another workflow as a bubble of its own and does not wait for it. */
  v.strictObject({
    ...common,
    kind: v.literal("start"),
    workflow: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
    payload: v.optional(Payload, {}),
  }),
  /** Child bubbles side by side, each from the tree as it is now; their trees are merged back. */
  v.strictObject({
    ...common,
    kind: v.literal("children"),
    /** Empty: the tasks that can run now. */
    children: v.optional(v.array(Child), []),
    /** The tasks of this paper, each as a child that runs `workflow`: as many at once as can, until all are done. */
    from: v.optional(Name),
    workflow: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(60))),
    wait: v.optional(v.picklist(["all", "any", "majority"]), "all"),
    max_concurrent: v.optional(v.pipe(count, v.maxValue(64)), 4),
  }),
  v.strictObject({
    ...common,
    kind: v.literal("emit"),
    event: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    payload: v.optional(Payload, {}),
    /** The result of the run, where the event says so. */
    result: v.optional(v.picklist(["approved", "completed"])),
  }),
  /** What papers say goes to the project's plans: a scratchpad, a committed plan, tasks (proposed or to be done), an amendment. */
  v.strictObject({
    ...common,
    kind: v.literal("plan"),
    act: v.picklist(["save", "commit", "propose", "tasks", "amend"]),
    /** The plan's slug, with references. */
    slug: text,
  }),
  /** The test commands of papers become gates of this run; those that no human has approved are asked about. */
  v.strictObject({ ...common, kind: v.literal("adopt") }),
  /** The artifacts of the task, with their hashes: a later change of them is refused. */
  v.strictObject({ ...common, kind: v.literal("lock") }),
  v.strictObject({ ...common, kind: v.literal("wait"), seconds: v.union([seconds, text]) }),
  /** The advisory score of the task's work, from evidence. */
  v.strictObject({ ...common, kind: v.literal("score") }),
  /** A task is over. */
  v.strictObject({ ...common, kind: v.literal("done"), status: v.picklist(["completed", "exceeded"]) }),
  /** The run is over: what follows depends on its result. */
  v.strictObject({ ...common, kind: v.literal("end") }),
  v.strictObject({ ...common, kind: v.literal("approval") }),
]);
export type Step = v.InferOutput<typeof Step>;
export type StepOf<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** The settings of the one loop (design §6). */
export const Loop = v.strictObject({
  producer: Name,
  /** Absent: nobody reviews (a task with a single agent). */
  critic: v.optional(Name),
  max_rounds: count,
  clean_passes: count,
  /**
   * `before_convergence`: the first clean pass swaps the roles; `subtask`, `checkpoint`: there; `never`: fixed roles.
   */
  role_switch: v.picklist(["before_convergence", "subtask", "checkpoint", "never"]),
  /** Where the loop goes when its rounds are used up: a question to a human, or the end of a task that is not completed. */
  exhausted: Name,
  /** The loop ends when one of these holds; absent: when the work has converged. */
  exit: v.optional(v.array(Condition)),
  /** Critics in this order, each on the same tree; the last one is the gate. */
  chain: v.optional(v.pipe(v.array(v.string()), v.minLength(1))),
  /** What the workflow calls them. */
  chain_names: v.optional(v.array(v.string())),
  /**
   * After an objection: `again` from the first critic; `go_on` with the next one, and from the first only when the last has
   * objected. With `go_on`, `max_rounds` counts how often the chain began again.
   */
  chain_order: v.optional(v.picklist(["again", "go_on"])),
  /** How many turns in a row the producer has until its work can be reviewed; with references. */
  max_attempts: v.optional(v.union([count, text])),
  /** How the critic answers; absent: as the bubble says. */
  dialect: v.optional(Dialect),
});
export type Loop = v.InferOutput<typeof Loop>;

/** What a score may be made of. */
const metrics = ["gates", "coverage", "review", "findings", "scope", "size", "judge"] as const;
export type MetricName = (typeof metrics)[number];
export const metricNames: readonly string[] = metrics;

/** Weighted metrics, each from evidence on the record, and perhaps an agent that judges and is not the author. */
export const Confidence = v.strictObject({
  threshold: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  metrics: v.record(v.string(), v.pipe(v.number(), v.gtValue(0))),
  judge: v.optional(v.string()),
});
export type Confidence = v.InferOutput<typeof Confidence>;

export const Tier = v.picklist(["T0", "T1", "T2"]);
export type Tier = v.InferOutput<typeof Tier>;

/** One task of a workflow: what it is about, who works on it, and how its loop is set. */
export const ProgramTask = v.strictObject({
  key: Name,
  title: v.optional(v.pipe(v.string(), v.maxLength(300))),
  /** What its agents are told beside the bubble's own task. */
  text: v.optional(text),
  criteria: v.optional(v.array(v.pipe(v.string(), v.maxLength(2000))), []),
  /** Its first step. */
  first: Name,
  depends_on: v.optional(v.array(Name), []),
  /** Which agent plays which role of this task, by the names of the workflow. */
  roles: v.record(Name, v.string()),
  loop: Loop,
  overlay: v.optional(v.picklist(["paired_workflow", "agentic_review"])),
  /** `session`, `subtask` or `checkpoint`, as the workflow says it. */
  role_switch: v.optional(v.picklist(["session", "subtask", "checkpoint"])),
  subtasks: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(2000))), v.minLength(1))),
  checkpoints: v.optional(v.union([v.array(count), v.literal("claim")])),
  confidence: v.optional(Confidence),
  policy: v.optional(v.strictObject({ tier: Tier })),
  hil: v.optional(v.strictObject({ enabled: v.boolean(), requires_human: v.boolean() }), {
    enabled: true,
    requires_human: false,
  }),
  /** Paths or globs of what it makes; absent: every file it changed. */
  outputs: v.optional(v.array(v.string())),
  /** Made by the loader to judge what parallel tasks made together; no task of the source. */
  joins: v.optional(v.boolean()),
});
export type ProgramTask = v.InferOutput<typeof ProgramTask>;

export const Program = v.strictObject({
  id: Name,
  name: v.string(),
  version: v.string(),
  start: Name,
  loop: Loop,
  steps: v.pipe(v.array(Step), v.minLength(1)),
  tasks: v.optional(v.array(ProgramTask)),
  /** Parts of a workflow of steps, each with a loop of its own: entered and left by routes. */
  phases: v.optional(v.array(ProgramTask)),
  /** How many tasks may run side by side. */
  max_concurrent: v.optional(v.pipe(count, v.maxValue(64))),
  /** Of the whole run, without the time in which a human is asked. */
  timeout_s: v.optional(seconds),
  /** What the run was started with: `trigger.payload.…` in references. */
  payload: v.optional(Payload),
});
export type Program = v.InferOutput<typeof Program>;
