// What a workflow's conditions are refused for when it is loaded: unknown paths and comparisons that can never be true;
// and the form with field, operator and value.
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/core/model/program.ts";
import { buildCatalogue, getOutputFields, getPathType } from "../../../src/core/workflow/catalogue.ts";
import {
  checkCondition,
  isConditionTrue,
  parseFieldCondition,
} from "../../../src/core/workflow/condition.ts";

const common = { on: {} };
const turn = { ...common, kind: "turn", session: "fresh", retries: 2 } as const;
const steps: Step[] = [
  { ...turn, name: "developer", role: "developer", answer: "handoff" },
  { ...turn, name: "retry_developer-2", role: "developer", answer: "handoff" },
  { ...turn, name: "reviewer", role: "reviewer", answer: "findings" },
  { ...turn, name: "judge", role: "judge", answer: "score" },
  { ...common, kind: "gates", name: "design/gates" },
  { ...common, kind: "context", name: "assemble_context" },
  { ...common, kind: "validate", name: "validate_review" },
  { ...common, kind: "question", name: "ask", ask: "stuck" },
  { ...common, kind: "start", name: "go_on", workflow: "plan", payload: {} },
  { ...common, kind: "children", name: "all", children: [], wait: "all", max_concurrent: 4 },
  { ...common, kind: "emit", name: "tell", event: "x", payload: {} },
  { ...common, kind: "lock", name: "lock" },
  { ...common, kind: "score", name: "score" },
  { ...common, kind: "end", name: "complete" },
];
const catalogue = buildCatalogue({ steps });
const problems = (text: string) => checkCondition(text, catalogue);

it.each([
  "pair.challenger_approved == true",
  "confidence_score >= 0.85",
  "review.decision == GO",
  "review.decision in [GO, NO_GO]",
  "execution.iteration < 3",
  "pair.iteration < pair.max_iterations",
  "steps.reviewer.output.verdict == approved",
  "steps.reviewer.output.rejection_type == too_big",
  "steps.retry_developer-2.output.tree != null",
  "steps.design/gates.output.passed",
  "steps.complete.outcome == success",
  "steps.developer.error != null",
  "steps.reviewer.output != null",
  "steps.reviewer.output.findings.0.title == x",
  "steps.validate_review.output.details.deep.er == 3",
  "trigger.payload.anything.at.all < 3",
  "trigger.payload.flag",
  "trigger.payload.flag == null",
  "gates.passed:-false",
  "review.confidence:-0 > 0.7",
  "review.decision:-null == null",
  "policy.tier == T2",
  "human.decision == whatever",
  "true",
])("accepts %s", (text) => {
  expect(problems(text)).toEqual([]);
});

describe("refuses", () => {
  it.each([
    ["pair.chalenger_approved", 1, "did you mean pair.challenger_approved?"],
    ["confidence_scor > 1", 1, "did you mean confidence_score?"],
    ["true and reviw.decision == GO", 10, "did you mean review.decision?"],
    ["nobody.knows.this.at.all == 1", 1, "quote it"],
    ["GO == review.decision", 1, "GO is not known here"],
    ["execution.iteration < three", 23, "three is not known here"],
    ["review.decision == GO.home", 20, "GO.home is not known here"],
    ["steps.revewer.output.verdict == approved", 1, "did you mean steps.reviewer.output.verdict?"],
    ["steps.reviewer.output.verdit == approved", 1, "did you mean steps.reviewer.output.verdict?"],
    ["steps.developer.output.verdict == approved", 1, "step developer gives result, files_modified"],
    ["steps.complete.output.x == approved", 1, "step complete gives nothing"],
    ["steps.nowhere_to_be_found.output.x == 1", 1, "no step is called nowhere_to_be_found"],
    ["steps.reviewer == 1", 1, "a step has output, error and outcome"],
    ["steps.reviewer.result == 1", 1, "a step has output, error and outcome"],
    ["steps.reviewer.error.deep == 1", 1, "not known here"],
    ["steps.reviewer.output.feedback.deep == x", 1, "not known here"],
    ["steps.reviewer.output.findings.first == x", 1, "not known here"],
    ["constructor == 1", 1, "constructor is not known here"],
    ["__proto__.x", 1, "__proto__.x is not known here"],
    ["steps.constructor.output == 1", 1, "no step is called constructor"],
    ["steps.reviewer.output.constructor == 1", 1, "not known here"],
    ['pair.iteration == "three"', 19, 'pair.iteration is a number and "three" is a string'],
    ["pair.iteration != three", 19, "never equal"],
    ["pair.iteration in [1, two]", 23, "never equal"],
    ["pair.challenger_approved == 1", 29, "is a boolean and 1 is a number"],
    ["pair.challenger_approved == yes", 29, "is a boolean"],
    ["pair.challenger_approved < 1", 1, "is a boolean; < compares numbers"],
    ["review.decision >= 1", 1, "is a string; >= compares numbers"],
    ['execution.iteration < "3"', 23, "is a string; < compares numbers"],
    ["execution.iteration < null", 23, "< compares numbers"],
    ["pair.iteration", 1, "is a number and neither true nor false"],
    ["not review.decision", 5, "is a string and neither true nor false"],
    ['"text"', 1, "neither true nor false"],
    ["steps.reviewer.output.findings == 3", 1, "is a list"],
    ["steps.reviewer.output.findings in [3]", 1, "is a list"],
    ["steps.reviewer.output.findings", 1, "is a list"],
    ["review.decision == null", 1, "write review.decision:-null == null"],
    ["review.confidence:-high > 1", 1, 'its default "high" is a string'],
    ["review.decision == Go", 20, 'one of GO, NO_GO and never "Go"'],
    ["steps.reviewer.output.verdict != approve", 34, "one of approved, rejected"],
    ["steps.reviewer.output.rejection_type in [fixable, tobig]", 51, 'never "tobig"'],
    ["review.decision ==", 19, "missing before the end"],
  ])("%s", (text, column, message) => {
    const [problem, ...others] = problems(text);
    expect(others).toEqual([]);
    expect(problem?.message).toContain(message);
    expect(problem?.column).toBe(column);
  });

  it("every flaw of one condition, each in its place", () => {
    expect(
      problems("pair.iteration and review.x == 1 or gates.passed < 2").map(({ column }) => column),
    ).toEqual([1, 20, 37]);
  });
});

it("knows what every kind of step gives", () => {
  const given = Object.fromEntries(
    steps.map((step) => [step.name, Object.keys(getOutputFields(step)).join(" ")]),
  );
  expect(given).toEqual({
    developer: "result files_modified summary tree",
    "retry_developer-2": "result files_modified summary tree",
    reviewer: "verdict rejection_type feedback confidence patterns sop_review decision findings tree",
    judge: "score feedback",
    "design/gates": "passed feedback failed",
    assemble_context: "sops conventions sop_ids",
    validate_review: "valid reason details",
    ask: "decision message",
    go_on: "workflow bubble",
    all: "completed failed",
    tell: "event",
    lock: "artifacts",
    score: "score met",
    complete: "",
  });
  for (const step of steps)
    for (const [field, type] of Object.entries(getOutputFields(step)))
      expect(getPathType(catalogue, `steps.${step.name}.output.${field}`)).toBe(type);
});

describe("field, operator and value", () => {
  it.each([
    ["${steps.reviewer.output.verdict}", "eq", "approved", 'steps.reviewer.output.verdict == "approved"'],
    ["${execution.iteration}", "lt", 3, "execution.iteration < 3"],
    ["${execution.iteration}", "lte", 3, "execution.iteration <= 3"],
    ["execution.iteration", "gt", 3, "execution.iteration > 3"],
    ["${execution.iteration}", "gte", -1.5, "execution.iteration >= -1.5"],
    ["${pair.challenger_approved:-false}", "ne", true, "pair.challenger_approved:-false != true"],
    ["${review.decision:-NO_GO}", "in", ["GO", "NO_GO"], 'review.decision:-"NO_GO" in ["GO", "NO_GO"]'],
    ["${trigger.payload.x}", "eq", null, "trigger.payload.x == null"],
    [
      "${execution.iteration}",
      "lt",
      "${trigger.payload.max:-3}",
      "execution.iteration < trigger.payload.max:-3",
    ],
    ["${human.message}", "eq", 'say "no"\n\u0000', 'human.message == "say \\"no\\"\\n\\u0000"'],
    ["${human.message}", "exists", undefined, "human.message != null"],
    ["${human.message}", "exists", true, "human.message != null"],
    ["${human.message}", "exists", false, "human.message:-null == null"],
  ])("%s %s %j", (field, operator, value, text) => {
    expect(parseFieldCondition({ field, operator, value })).toEqual({ ok: true, text });
    expect(problems(text)).toEqual([]);
  });

  it("asks whether something is there", () => {
    const there = { human: { message: "x" } };
    expect(isConditionTrue("human.message != null", there)).toBe(true);
    expect(isConditionTrue("human.message != null", {})).toBe(false);
    expect(isConditionTrue("human.message:-null == null", there)).toBe(false);
    expect(isConditionTrue("human.message:-null == null", {})).toBe(true);
  });

  it.each([
    [undefined, "eq", 1, /reference such as/],
    [3, "eq", 1, /reference such as/],
    ["see ${a.b}", "eq", 1, /no reference to one value/],
    ["${a b}", "eq", 1, /not known here/],
    ["a b", "eq", 1, /no reference/],
    ["${a.b", "eq", 1, /no reference/],
    ["${a.b:-[]}", "eq", 1, /cannot be compared/],
    ["${a.b}", "equals", 1, /no operator "equals"/],
    ["${a.b}", "ltt", 1, /did you mean lt\?/],
    ["${a.b}", "constructor", 1, /no operator/],
    ["${a.b}", undefined, 1, /no operator undefined/],
    ["${a.b}", "eq", undefined, /value is missing/],
    ["${a.b}", "eq", [1], /not one value/],
    ["${a.b}", "eq", { a: 1 }, /not one value/],
    ["${a.b}", "eq", "see ${a.c}", /neither one reference/],
    ["${a.b}", "in", "GO", /list of values/],
    ["${a.b}", "in", [], /list of values/],
    ["${a.b}", "in", [[1]], /not one value/],
    ["${a.b}", "exists", 1, /goes with true, false/],
    ["${a.b:-1}", "exists", true, /always exists/],
    ["${a.b}", "eq", "x".repeat(2000), /at most 2000 characters/],
  ])("refuses %s %s %j", (field, operator, value, message) => {
    const said = parseFieldCondition({ field, operator, value });
    expect(said.ok ? said.text : said.message).toMatch(message);
    expect(said.ok).toBe(false);
  });
});
