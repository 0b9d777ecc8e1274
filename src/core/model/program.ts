// A workflow after loading: the steps a bubble runs, as plain data. The pinned program is part of the
// record, so that a bubble means the same on the day it started and on the day it is replayed.
import * as v from "valibot";

const Name = v.pipe(v.string(), v.regex(/^\$?[a-z][a-z0-9_-]{0,59}$/i, "must be a short word"));

/** Where an outcome leads, and what changes on the way. */
export const Route = v.strictObject({
  to: Name,
  /** `next`: taking this route begins a new round (and spends one of the budget). */
  round: v.optional(v.picklist(["same", "next"]), "same"),
  /** `swap`: producer and critic exchange their agents. */
  roles: v.optional(v.picklist(["keep", "swap"]), "keep"),
});
export type Route = v.InferOutput<typeof Route>;
const Routes = v.record(Name, Route);

const common = { name: Name, on: Routes };

export const Step = v.variant("kind", [
  v.strictObject({
    ...common,
    kind: v.literal("turn"),
    role: Name,
    /** Producers go on in their session; critics start fresh. */
    session: v.picklist(["resumed", "fresh"]),
    /** What the turn hands in: changed files with a package, or findings about a tree. */
    answer: v.picklist(["handoff", "findings"]),
    /** What a critic must answer on top, one duty a clean pass (core/review/duties.ts). */
    duties: v.optional(v.pipe(v.array(Name), v.minLength(1))),
    /** How often a turn that ends without an answer is started again. */
    retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 2),
  }),
  v.strictObject({ ...common, kind: v.literal("gates") }),
  v.strictObject({ ...common, kind: v.literal("check"), check: Name }),
  v.strictObject({ ...common, kind: v.literal("question"), ask: Name }),
  v.strictObject({ ...common, kind: v.literal("approval") }),
]);
export type Step = v.InferOutput<typeof Step>;
export type StepOf<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** The settings of the one loop (design §6). */
export const Loop = v.strictObject({
  producer: Name,
  critic: Name,
  max_rounds: v.pipe(v.number(), v.integer(), v.minValue(1)),
  clean_passes: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** `before_convergence`: the first clean pass swaps the roles; `never`: fixed roles. */
  role_switch: v.picklist(["before_convergence", "never"]),
  /** Where the loop goes when its rounds are used up: always a question to a human. */
  exhausted: Name,
});
export type Loop = v.InferOutput<typeof Loop>;

export const Program = v.strictObject({
  id: Name,
  name: v.string(),
  version: v.string(),
  start: Name,
  loop: Loop,
  steps: v.pipe(v.array(Step), v.minLength(1)),
});
export type Program = v.InferOutput<typeof Program>;
