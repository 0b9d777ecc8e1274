// pipeline.config.json in its published form, with two tables of our own: who plays what and with which model.
import * as v from "valibot";

/** Roles of which each has one agent. */
export const workers = ["requirements-gatherer", "planner", "implementer"] as const;
/** The critics of both chains, by their names there; the last one is the gate. */
export const chain = ["sonnet", "opus", "codex"] as const;
/** A critic of one phase alone: `code-reviewer-opus`. */
export const phaseCritics = (["plan-reviewer", "code-reviewer"] as const).flatMap((role) =>
  chain.map((name) => ({ player: `${role}-${name}`, name })),
);
export const players: readonly string[] = [...workers, ...chain, ...phaseCritics.map(({ player }) => player)];

const mode = v.picklist(["ralph-loop", "simple"], 'must be "ralph-loop" or "simple"');
const limit = (most: number) =>
  v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(1, "must be at least 1"),
    v.maxValue(most, `must be at most ${most}`),
  );
const defineWords = (max: number) =>
  v.pipe(v.string(), v.trim(), v.minLength(1, "must not be empty"), v.maxLength(max));
const defineTableByPlayer = (value: v.GenericSchema<unknown, string>) =>
  v.optional(v.strictObject(Object.fromEntries(players.map((name) => [name, v.optional(value)]))));

export const PipelineFile = v.strictObject({
  autonomy: v.optional(
    v.strictObject({
      mode: v.optional(mode),
      planReviewLoopLimit: v.optional(limit(1000)),
      codeReviewLoopLimit: v.optional(limit(1000)),
    }),
  ),
  ralphLoop: v.optional(
    v.strictObject({
      defaultMode: v.optional(mode),
      defaultMaxIterations: v.optional(limit(100)),
      completionPromise: v.optional(defineWords(200)),
    }),
  ),
  agents: defineTableByPlayer(defineWords(40)),
  models: defineTableByPlayer(defineWords(200)),
});
export type PipelineFile = v.InferOutput<typeof PipelineFile>;
