// The JSON Schemas of what the referee reports to other tools: a gate run, and whether a review counts.

import { GateStatus } from "../model/gate.ts";
import { list, object, type Schema, text, word } from "../schema/json-schema.ts";

const number = (description: string): Schema => ({ type: "number", description });
const flag = (description: string): Schema => ({ type: "boolean", description });

/** The same object, in which these properties may be left out. */
function without(schema: Schema, optional: readonly string[]): Schema {
  const required = (schema.required as readonly string[]).filter((name) => !optional.includes(name));
  return { ...schema, required };
}

const gate = without(
  object({
    name: text("the gate"),
    command: text("what was run"),
    required: flag("false: red is a warning"),
    status: word(GateStatus.options, "skipped: none of the files it looks at changed"),
    exit_code: { type: ["integer", "null"], description: "null: it did not come to an end" },
    duration_ms: number("how long it ran"),
    threshold: number("percent of lines that must be covered"),
    measured: number("percent of lines that are covered"),
  }),
  ["threshold", "measured"],
);

const reports = {
  gates: {
    about: "a gate run as it is written to gate-reports/ (structural-gates.v1)",
    schema: object(
      {
        schema: { const: "structural-gates.v1" },
        slug: text("the plan or bubble it belongs to"),
        task_id: text("the task"),
        tree: text("the git tree that was judged"),
        preset: text("how the list of gates came about"),
        passed: flag("every required gate is green on this tree"),
        feedback: text("what is wrong, for whoever fixes it; empty when nothing is"),
        gates: list(gate, "in the order of the list"),
        timestamp: text("ISO 8601, UTC"),
      },
      "structural-gates.v1",
    ),
  },
  "review-validator": {
    about: "whether a review counts, as a step `validate` puts it out (review-validator.v1)",
    schema: object(
      {
        valid: flag("coverage, evidence, consistency and confidence hold"),
        reason: text("the first thing that does not hold; empty when all do"),
        details: list({ type: "string" }, "everything that does not hold"),
      },
      "review-validator.v1",
    ),
  },
} as const satisfies Readonly<Record<string, { about: string; schema: Schema }>>;

export type ReportName = keyof typeof reports;
export const reportNames = Object.keys(reports) as readonly ReportName[];
export const reportAbout = (name: ReportName): string => reports[name].about;
export const reportSchema = (name: ReportName): Schema => reports[name].schema;
