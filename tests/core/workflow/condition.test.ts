// The language of conditions: what it reads, what is true by which facts, and that a missing value never makes it so.
import { describe, expect, it } from "vitest";
import {
  findLimitIn,
  isConditionTrue,
  listConditionPaths,
  parseCondition,
  printCondition,
} from "../../../src/core/workflow/condition.ts";

const facts = {
  pair: { challenger_approved: true, iteration: 2, max_iterations: 5 },
  review: { decision: "GO", confidence: 0.9 },
  confidence_score: 0.85,
  gates: { passed: false, failed: 0 },
  execution: { iteration: 3 },
  trigger: { payload: { nothing: null, flag: true, words: ["a", "b"], deep: { er: "x" }, count: "3" } },
  steps: {
    "retry_developer-2": { output: { verdict: "too_big" } },
    "design/gates": { output: { passed: true } },
  },
};

describe("holds", () => {
  it.each([
    "pair.challenger_approved == true",
    "pair.challenger_approved",
    "not gates.passed",
    "!gates.passed",
    "!(gates.passed || false)",
    "confidence_score >= 0.85",
    "0.85 <= confidence_score",
    "confidence_score == confidence_score",
    "review.confidence > confidence_score",
    "review.decision == GO",
    'review.decision == "GO"',
    "review.decision=='GO'",
    "review.decision != NO_GO",
    "review.decision in [NO_GO, GO]",
    'review.decision in ["GO"]',
    "not review.decision in [NO_GO]",
    "execution.iteration in [1, 3]",
    "pair.iteration < pair.max_iterations",
    "pair.iteration > -1 and pair.iteration < 2.5e0",
    "gates.failed == 0",
    "true",
    "not false",
    "steps.retry_developer-2.output.verdict == too_big",
    "steps.design/gates.output.passed",
    "trigger.payload.nothing == null",
    "trigger.payload.words != null",
    "trigger.payload.words.1 == b",
    "trigger.payload.deep.er == x",
    "trigger.payload.none:-3 == 3",
    "trigger.payload.none:-go == go",
    "trigger.payload.none:-'two words' == 'two words'",
    "trigger.payload.none:-null == null",
    "trigger.payload.none:-true",
    "execution.iteration:-7 == 3",
    "false or true and true",
    "true or true and false",
    "not false and true",
    "not (true and false)",
    "pair.challenger_approved && review.decision == GO || false",
    "steps.gone.output.x == 1 or true",
    "not (steps.gone.output.x == 1 and false)",
    '"a\\"b\\n\\u0041\\\\" == \'a"b\\nA\\\\\'',
  ])("%s", (text) => {
    expect(parseCondition(text)).toMatchObject({ ok: true });
    expect(isConditionTrue(text, facts)).toBe(true);
  });
});

describe("does not hold", () => {
  it.each([
    "pair.challenger_approved == false",
    "gates.passed",
    "review.decision == NO_GO",
    "review.decision == go",
    "confidence_score > 0.85",
    "execution.iteration < 3",
    "review.decision in [NO_GO]",
    "true and false",
    "(false or true) and false",
    "trigger.payload.count == 3",
    "trigger.payload.none:-false",
  ])("%s", (text) => {
    expect(parseCondition(text)).toMatchObject({ ok: true });
    expect(isConditionTrue(text, facts)).toBe(false);
  });

  it.each([
    "review.gone == 1",
    "review.gone != 1",
    "not (review.gone == 1)",
    "not not (review.gone == 1)",
    "not (review.gone != 1)",
    "review.gone == null",
    "review.gone != null",
    "review.gone < 1",
    "not (review.gone < 1)",
    "review.gone in [1]",
    "not review.gone in [1]",
    "review.gone",
    "not review.gone",
    "review.gone == review.gone",
    "review.gone == review.other",
    "true and not review.gone",
    "not (review.gone or false)",
    "not (review.gone and true)",
  ])("because a value is missing: %s", (text) => {
    expect(parseCondition(text)).toMatchObject({ ok: true });
    expect(isConditionTrue(text, facts)).toBe(false);
  });

  it.each([
    "review.decision.length == 2",
    "trigger.payload.words.length == 2",
    "trigger.payload.constructor != null",
    "trigger.payload.__proto__ != null",
    "constructor.name == Object",
    "__proto__.x:-1 == 2",
    "trigger.payload.words.toString != null",
    "trigger.payload.words.01 == b",
  ])("because only a value's own parts are there: %s", (text) => {
    expect(parseCondition(text)).toMatchObject({ ok: true });
    expect(isConditionTrue(text, facts)).toBe(false);
  });

  it.each([
    "trigger.payload.words == a",
    "trigger.payload.words != a",
    "not (trigger.payload.words == a)",
    "trigger.payload.words in [a]",
    "not trigger.payload.words in [a]",
    "trigger.payload.deep != 1",
    "trigger.payload.count < 4",
    "not (trigger.payload.count < 4)",
    "not trigger.payload.count",
    "trigger.payload.words == trigger.payload.words",
  ])("because it cannot be compared: %s", (text) => {
    expect(isConditionTrue(text, facts)).toBe(false);
  });

  it("with numbers that are none", () => {
    const odd = { execution: { iteration: Number.NaN }, confidence_score: Number.POSITIVE_INFINITY };
    for (const text of ["execution.iteration != 1", "not (execution.iteration < 1)", "confidence_score != 1"])
      expect(isConditionTrue(text, odd)).toBe(false);
  });

  it("when it cannot be read", () => {
    expect(isConditionTrue("true and", facts)).toBe(false);
    expect(isConditionTrue("", facts)).toBe(false);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["", 1, /empty/],
    ["   ", 1, /empty/],
    ["a.b = 1", 5, /write ==/],
    ["a.b === 1", 7, /write ==/],
    ["a.b & a.c", 5, /write and/],
    ["a.b | a.c", 5, /write or/],
    ["a.b ==", 7, /missing before the end/],
    ["a.b == )", 8, /missing before \)/],
    ["== 1", 1, /missing before ==/],
    ["(a.b == 1", 1, /not closed/],
    ["a.b == 1)", 9, /does not belong here/],
    ["a.b == 1 a.c == 2", 10, /a\.c does not belong here/],
    ["a.b < a.c < 3", 11, /cannot be chained/],
    ['a.b == "x', 8, /not closed/],
    ["a.b == 'x\"", 8, /not closed/],
    ["a.b in 3", 8, /a list such as/],
    ["a.b in []", 9, /missing before \]/],
    ["a.b in [1, 2", 8, /not closed/],
    ["a.b in [1 2]", 8, /not closed/],
    ["a.b not in [1]", 5, /does not belong here/],
    ["$" + "{a.b} == 1", 1, /without a dollar sign/],
    ["a.b == 1e999", 8, /too large/],
    ["a.b == 3rd", 8, /quote it/],
    ["a.b == 1.2.3", 8, /quote it/],
    ["a.b:- == 1", 7, /value is missing before ==/],
    ["a.b == #", 8, /"#" means nothing/],
    ["a.b == 😀", 8, /"😀" means nothing/],
    ["a.b()", 4, /does not belong here/],
    ["a..b", 2, /"\."/],
    ["and", 1, /missing before and/],
    ["not", 4, /missing before the end/],
  ])("%s", (text, column, message) => {
    const parsed = parseCondition(text);
    expect(parsed).toMatchObject({ ok: false, column });
    expect(parsed.ok ? "" : parsed.message).toMatch(message);
  });

  it("when it is too long or too deep", () => {
    expect(parseCondition(`true${" ".repeat(1996)}`)).toMatchObject({ ok: true });
    expect(parseCondition(`true${" ".repeat(1997)}`)).toMatchObject({ ok: false, column: 1 });
    const nested = (times: number) => `${"(".repeat(times)}true${")".repeat(times)}`;
    expect(parseCondition(nested(50)).ok).toBe(true);
    expect(parseCondition(nested(51))).toMatchObject({ ok: false, column: 51 });
    expect(parseCondition(`${"not ".repeat(50)}true`).ok).toBe(true);
    expect(parseCondition(`${"!".repeat(51)}true`)).toMatchObject({ ok: false, column: 51 });
    expect(parseCondition(Array(150).fill("(true)").join(" and ")).ok).toBe(true);
  });
});

describe("precedence", () => {
  it.each([
    ["a.b or a.c and a.d", "a.b or a.c and a.d"],
    ["(a.b or a.c) and a.d", "(a.b or a.c) and a.d"],
    ["a.b and a.c and a.d", "a.b and a.c and a.d"],
    ["a.b and (a.c and a.d)", "a.b and (a.c and a.d)"],
    ["((a.b))", "a.b"],
    ["! a.b == GO && !(a.c || a.d)", 'not a.b == "GO" and not (a.c or a.d)'],
    ["a.b:-go in [x, 'y', 1, true, null]", 'a.b:-"go" in ["x", "y", 1, true, null]'],
    ["3 > a.b", "3 > a.b"],
    ["a.b == confidence_score", "a.b == confidence_score"],
    ["a.b < other", "a.b < other"],
  ])("%s", (text, printed) => {
    const parsed = parseCondition(text);
    expect(parsed.ok && printCondition(parsed.condition)).toBe(printed);
  });
});

describe("more rounds that a human granted", () => {
  const at = (iteration: number) => ({
    execution: { iteration },
    pair: { iteration },
    review: { iteration, confidence: iteration },
    task: { iteration },
  });

  it.each(["execution.iteration", "pair.iteration", "review.iteration", "task.iteration"])(
    "raise a limit on %s",
    (path) => {
      expect(isConditionTrue(`${path} < 3`, at(3))).toBe(false);
      expect(isConditionTrue(`${path} < 3`, at(3), { extra: 1 })).toBe(true);
      expect(isConditionTrue(`${path} < 3`, at(4), { extra: 1 })).toBe(false);
      expect(isConditionTrue(`${path} <= 3`, at(5), { extra: 2 })).toBe(true);
      expect(isConditionTrue(`3 > ${path}`, at(3), { extra: 1 })).toBe(true);
      expect(isConditionTrue(`3 >= ${path}`, at(5), { extra: 1 })).toBe(false);
      expect(isConditionTrue(`not (${path} < 3)`, at(3), { extra: 1 })).toBe(false);
    },
  );

  it("raise nothing else", () => {
    expect(isConditionTrue("review.confidence < 3", at(3), { extra: 5 })).toBe(false);
    expect(isConditionTrue("execution.iteration == 3", at(3), { extra: 5 })).toBe(true);
    expect(isConditionTrue("execution.iteration > 3", at(4), { extra: 5 })).toBe(true);
    expect(isConditionTrue("execution.iteration >= 3", at(3), { extra: 5 })).toBe(true);
    expect(isConditionTrue("3 < execution.iteration", at(4), { extra: 5 })).toBe(true);
    expect(isConditionTrue("execution.iteration < pair.iteration", at(3), { extra: 5 })).toBe(false);
  });
});

it.each([
  ["execution.iteration < 3", 3],
  ["execution.iteration <= 3", 4],
  ["3 > execution.iteration", 3],
  ["(pair.iteration < 5)", 5],
  ["execution.iteration > 3", undefined],
  ["execution.iteration == 3", undefined],
  ["execution.iteration < pair.iteration", undefined],
  ["confidence_score < 3", undefined],
  ["execution.iteration < 3 and review.decision == NO_GO", undefined],
  ["not (execution.iteration < 3)", undefined],
  ["execution.iteration <", undefined],
])("the limit in %s is %j", (text, limit) => {
  expect(findLimitIn(text)).toBe(limit);
});

it("names each path once", () => {
  expect(listConditionPaths("a.b == GO and (a.c < a.d or not a.b) and e in [f, g]")).toEqual([
    "a.b",
    "a.c",
    "a.d",
    "e",
  ]);
  expect(listConditionPaths("a.b ==")).toEqual([]);
});
