// How a workflow of tasks with overlays is written.
import * as v from "valibot";
import { Tier } from "../../../model/program.ts";
import { Duration } from "../duration.ts";

const line = v.pipe(v.string(), v.minLength(1), v.maxLength(2000));
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(16_000));
const agent = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_.-]{0,39}$/i, "must be the name of an agent or role"),
);
const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000));
const lines = v.pipe(v.array(line), v.minLength(1));

/** The name of a task becomes part of the names of its steps. */
export const TaskKey = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_-]{0,59}$/i, "must be a short word of letters, digits, - and _"),
);

const switched = { enabled: v.boolean() };
const loop = { max_iterations: v.optional(count), exit_conditions: v.optional(lines) };

export const Overlays = v.strictObject({
  paired_workflow: v.optional(
    v.strictObject({
      ...switched,
      ...loop,
      driver_agent: v.optional(agent),
      challenger_agent: v.optional(agent),
      role_switch: v.optional(v.picklist(["session", "subtask", "checkpoint"])),
      checkpoints: v.optional(v.union([v.pipe(v.array(count), v.minLength(1)), v.literal("claim")])),
    }),
  ),
  agentic_review: v.optional(
    v.strictObject({
      ...switched,
      ...loop,
      coder_agent: v.optional(agent),
      reviewer_agent: v.optional(v.union([agent, v.pipe(v.array(agent), v.minLength(1))])),
    }),
  ),
  confidence_loop: v.optional(
    v.strictObject({
      ...switched,
      threshold: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      metrics: v.optional(v.record(v.string(), v.pipe(v.number(), v.gtValue(0)))),
      judge_agent: v.optional(agent),
    }),
  ),
  policy_gate: v.optional(v.strictObject({ ...switched, risk_tier: v.optional(Tier) })),
  hil: v.optional(v.strictObject({ ...switched, requires_human: v.optional(v.boolean()) })),
});
export type Overlays = v.InferOutput<typeof Overlays>;
export type OverlayName = keyof Overlays;

export const SourceTask = v.strictObject({
  agent: v.optional(agent),
  title: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(300))),
  prompt: v.optional(text),
  description: v.optional(text),
  kind: v.optional(v.picklist(["task", "review"]), "task"),
  acceptance_criteria: v.optional(v.array(line), []),
  depends_on: v.optional(v.array(TaskKey), []),
  subtasks: v.optional(lines),
  outputs: v.optional(v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1))),
  overlays: v.optional(Overlays, {}),
});
export type SourceTask = v.InferOutput<typeof SourceTask>;

export const TasksDocument = v.strictObject({
  id: v.optional(TaskKey),
  name: v.optional(v.string()),
  version: v.optional(v.string(), "1"),
  description: v.optional(v.string()),
  tasks: v.record(TaskKey, SourceTask),
  overlays: v.optional(Overlays, {}),
  max_concurrent: v.optional(v.pipe(count, v.maxValue(64)), 1),
  join: v.optional(
    v.strictObject({
      agent: v.optional(agent),
      reviewer: v.optional(agent),
      max_iterations: v.optional(count),
      /** Whether a human is asked first when tasks changed the same lines. */
      on_conflict: v.optional(v.picklist(["ask", "turn"]), "ask"),
    }),
    {},
  ),
  timeout: v.optional(Duration),
  max_iterations: v.optional(count),
});
export type TasksDocument = v.InferOutput<typeof TasksDocument>;
