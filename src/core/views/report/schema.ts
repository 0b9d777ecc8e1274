// What the referee reports to other tools: a gate run, and whether a review counts. The values and their JSON Schemas are
// declared once, here.
import * as v from "valibot";
import { GateStatus } from "../../model/gate.ts";
import { describeField } from "../../model/value/field.ts";
import { buildOpenSchema, type Schema } from "../../schema/json-schema.ts";

const describeText = (about: string) => describeField(v.string(), about);
const number = (about: string) => describeField(v.number(), about);
const defineFlag = (about: string) => describeField(v.boolean(), about);

const ReportedGate = v.strictObject({
  name: describeText("the gate"),
  command: describeText("what was run"),
  required: defineFlag("false: red is a warning"),
  status: describeField(GateStatus, "skipped: none of the files it looks at changed"),
  exit_code: describeField(v.nullable(v.pipe(v.number(), v.integer())), "null: it did not come to an end"),
  duration_ms: number("how long it ran"),
  threshold: v.optional(number("percent of lines that must be covered")),
  measured: v.optional(number("percent of lines that are covered")),
});

const GateReport = v.strictObject({
  schema: v.literal("structural-gates.v1"),
  slug: describeText("the plan or bubble it belongs to"),
  task_id: describeText("the task"),
  tree: describeText("the git tree that was judged"),
  preset: describeText("how the list of gates came about"),
  passed: defineFlag("every required gate is green on this tree"),
  feedback: describeText("what is wrong, for the agent that fixes it; empty when nothing is"),
  gates: describeField(v.array(ReportedGate), "in the order of the list"),
  timestamp: describeText("ISO 8601, UTC"),
});
export type GateReport = v.InferOutput<typeof GateReport>;

const ReviewValidity = v.strictObject({
  valid: defineFlag("coverage, evidence, consistency and confidence hold"),
  reason: describeText("the first thing that does not hold; empty when all do"),
  details: describeField(v.array(v.string()), "everything that does not hold"),
});

const reports = {
  gates: {
    about: "a gate run as it is written to gate-reports/ (structural-gates.v1)",
    schema: describeField(GateReport, "structural-gates.v1"),
  },
  "review-validator": {
    about: "whether a review counts, as a step `validate` puts it out (review-validator.v1)",
    schema: describeField(ReviewValidity, "review-validator.v1"),
  },
} as const;

export type ReportName = keyof typeof reports;
export const reportNames = Object.keys(reports) as readonly ReportName[];
export const reportAbout = (name: ReportName): string => reports[name].about;
export const buildReportSchema = (name: ReportName): Schema => buildOpenSchema(reports[name].schema);
