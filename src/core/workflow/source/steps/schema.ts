// How a workflow of steps is written: with kinds and outcomes, or with actions bound to subjects. Both may be mixed.
import * as v from "valibot";
import { Loop, Name, Route, Step } from "../../../model/program.ts";
import { Duration } from "../duration.ts";

const text = v.pipe(v.string(), v.maxLength(16_000));

/** Names made by the loader have a `/` or a `$`; names of the source have neither. */
export const StepName = v.pipe(
  Name,
  v.regex(/^[a-z][a-z0-9_-]*$/i, "must be a short word of letters, digits, - and _"),
);
const Target = v.pipe(v.string(), v.minLength(1), v.maxLength(80));

/** A phase is its loop, and perhaps a title. */
const Phase = v.strictObject({
  ...Loop.entries,
  clean_passes: v.optional(Loop.entries.clean_passes, 1),
  role_switch: v.optional(v.literal("never"), "never"),
  title: v.optional(v.pipe(v.string(), v.maxLength(300))),
});

export const StepsDocument = v.strictObject({
  id: v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{0,59}$/i, "must be a short word"))),
  name: v.optional(v.string()),
  version: v.optional(v.string(), "1"),
  description: v.optional(v.string()),
  enabled: v.optional(v.boolean(), true),
  trigger: v.optional(
    v.strictObject({
      subject: v.pipe(
        v.string(),
        v.regex(/^workflow\.trigger\.[a-z0-9_-]+$/i, "must be a subject such as workflow.trigger.mine"),
      ),
    }),
  ),
  start: v.optional(Name),
  loop: v.optional(Loop),
  /** Parts with a loop of their own; each step says which one it belongs to. */
  phases: v.optional(v.record(Name, Phase)),
  steps: v.pipe(v.array(v.unknown()), v.minLength(1)),
  timeout: v.optional(Duration),
  max_iterations: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
});
export type StepsDocument = v.InferOutput<typeof StepsDocument>;

const Action = v.strictObject({
  type: v.string(),
  subject: v.string(),
  role: v.optional(Name),
  model: v.optional(v.string()),
  prompt: v.optional(text),
  payload: v.optional(v.record(v.string(), v.unknown())),
});
export type Action = v.InferOutput<typeof Action>;

export const ActionStep = v.strictObject({
  name: StepName,
  condition: v.optional(
    v.strictObject({ field: v.string(), operator: v.string(), value: v.optional(v.unknown()) }),
  ),
  action: v.optional(Action),
  on_success: v.optional(Target),
  on_fail: v.optional(Target),
  timeout: v.optional(Duration),
});
export type ActionStep = v.InferOutput<typeof ActionStep>;

/** Short for the keys of the program: `timeout: 5m`, and `for: 30s` in a wait. */
const short = { timeout: v.optional(Duration), for: v.optional(Duration) };
const kindOptions = Step.options.map((option) =>
  v.strictObject({
    ...option.entries,
    name: StepName,
    phase: v.optional(Name),
    on: v.optional(v.record(v.string(), Route), {}),
    ...(option.entries.kind.literal === "wait" ? short : { timeout: short.timeout }),
  }),
);

/** The words a step with a kind may have; whether they fit together, the program's own schema says. */
export const KindStep = { kind: "schema", type: "variant", key: "kind", options: kindOptions };

/** Steps with an action or a condition of their own are the other form. */
export const isActionStep = (step: unknown): boolean =>
  typeof step === "object" &&
  step !== null &&
  !Object.hasOwn(step, "kind") &&
  ["action", "condition", "on_success", "on_fail"].some((key) => Object.hasOwn(step, key));
