// Conditions and references without end: nearly right texts for their readers, and generated conditions that are right.

import { buildCatalogue } from "../../src/core/workflow/catalogue.ts";
import type { Condition, Operand } from "../../src/core/workflow/condition/syntax.ts";
import {
  checkCondition,
  findLimitIn,
  isConditionTrue,
  listConditionPaths,
  parseCondition,
  printCondition,
} from "../../src/core/workflow/condition.ts";
import { interpolate } from "../../src/core/workflow/interpolate.ts";
import { checkReferences, fillText, fillValue, parseTemplate } from "../../src/core/workflow/template.ts";
import { chance, type Dice } from "./fuzz-dice.ts";
import type { Target } from "./fuzz-run.ts";

const paths = [
  "pair.challenger_approved",
  "pair.iteration",
  "review.decision",
  "confidence_score",
  "execution.iteration",
  "trigger.payload.deep.er",
  "steps.retry-developer_2.output.verdict",
  "steps.design/gates.output.passed",
] as const;
const values = [true, false, 0, 1, 3, 0.85, -1, "GO", "NO_GO", "", "3", 'say "x"\n', null] as const;
const operators = ["==", "!=", "<", "<=", ">", ">="] as const;

const catalogue = buildCatalogue({
  steps: [
    {
      kind: "turn",
      name: "retry-developer_2",
      role: "r",
      session: "fresh",
      answer: "findings",
      retries: 2,
      on: {},
    },
    { kind: "gates", name: "design/gates", on: {} },
  ],
});

type Nested = Record<string, unknown>;

/** Nested facts with a value at each path. */
function factsAt(entries: readonly (readonly [path: string, value: unknown])[]): Nested {
  const facts: Nested = {};
  for (const [path, value] of entries) {
    const keys = path.split(".");
    const last = keys.pop() ?? path;
    let place: Nested | undefined = facts;
    for (const key of keys) place = below(place, key);
    if (place && !Object.hasOwn(place, last)) Object.defineProperty(place, last, { value, enumerable: true });
  }
  return facts;
}

function below(place: Nested | undefined, key: string): Nested | undefined {
  if (!place) return undefined;
  if (!Object.hasOwn(place, key)) Object.defineProperty(place, key, { value: {}, enumerable: true });
  const next = place[key];
  return typeof next === "object" && next !== null ? (next as Nested) : undefined;
}

const withoutPlaces = (value: unknown): string =>
  JSON.stringify(value, (key, item) => (key === "at" ? undefined : item));

/** Says the same when it is written down and read again. */
export function unstable(condition: Condition): string | undefined {
  const text = printCondition(condition);
  const again = parseCondition(text);
  // Written out, a condition may be longer than one may be.
  if (text.length > 2000) return undefined;
  if (!again.ok) return `${text} cannot be read again: ${again.message}`;
  return withoutPlaces(again.condition) === withoutPlaces(condition)
    ? undefined
    : `${text} means something else`;
}

/** True by some facts although it is not true by more of them: something missing has made it true. */
export function trueByAbsence(text: string, dice: Dice): string | undefined {
  const named = listConditionPaths(text);
  // What stands below another path's value cannot be there together with it.
  const known = named.filter((path) => !named.some((other) => path.startsWith(`${other}.`)));
  const all = known.map((path) => [path, dice.pick(values)] as const);
  const some = all.filter(() => dice.below(2) === 0);
  for (const fewer of [factsAt([]), factsAt(some)])
    if (isConditionTrue(text, fewer) && !isConditionTrue(text, factsAt(all)))
      return `it holds by ${JSON.stringify(fewer)} and not by ${JSON.stringify(factsAt(all))}`;
  return undefined;
}

export const conditions: Target = {
  name: "conditions",
  seeds: [
    "pair.challenger_approved == true",
    "confidence_score >= 0.85",
    "review.decision == GO",
    "execution.iteration < 3 and not (review.decision in [GO, 'NO_GO'] or gates.passed)",
    'steps.retry-developer_2.output.verdict != "approved" && !gates.passed || 3 > pair.iteration',
    "trigger.payload.deep.er:-null == null and trigger.payload.list.0:-'a b' != x",
    "((((true)))) or not not not steps.design/gates.output.passed",
  ],
  words: [
    ...["and", "or", "not", "in", "&&", "||", "!", "==", "!=", "<", "<=", ">", ">=", "(", ")", "[", "]", ","],
    ...[
      ":-",
      " and ",
      " or ",
      "not ",
      "true",
      "null",
      "GO",
      "3",
      "-1e5",
      "'x'",
      '"y"',
      ".",
      "..",
      "((((",
      "!!!!",
    ],
    ...paths,
    "steps.constructor.output",
    "a.__proto__.b",
  ],
  read(text) {
    const parsed = parseCondition(text);
    findLimitIn(text);
    const flaws = checkCondition(text, catalogue);
    const outside = flaws.find(
      ({ column, message }) => !(column >= 1 && column <= text.length + 1 && message),
    );
    if (outside) return `a flaw outside of the text: ${JSON.stringify(outside)}`;
    if (!parsed.ok)
      return isConditionTrue(text, {}) || flaws.length !== 1 ? "it cannot be read and yet counts" : undefined;
    // A default is what makes a missing value count, on purpose.
    return (
      unstable(parsed.condition) ??
      (text.includes(":-") ? undefined : trueByAbsence(text, chance(text.length)))
    );
  },
};

const facts = {
  execution: { iteration: 2 },
  trigger: { payload: { a: "x".repeat(1000), list: [1, { b: "${c}" }], __proto: null } },
};

export const references: Target = {
  name: "references in texts",
  seeds: [
    "Task: ${trigger.payload.task_description}\n\nAfter ${execution.iteration} attempts",
    "${trigger.payload.gate_overrides:-[]}",
    '${trigger.payload.x:-{"a":{}}} ${steps.design/gates.output.feedback} ${bubble.id}',
  ],
  words: [
    "${",
    "}",
    ":-",
    "{",
    "[]",
    "${}",
    "${a",
    "trigger.payload.a",
    "${trigger.payload.a}",
    "$",
    "bubble.id",
  ],
  read(text) {
    const { parts, problem } = parseTemplate(text);
    const whole = parts.map((part) => (typeof part === "string" ? part : part.written)).join("");
    if (whole !== text) return "its parts are not the whole";
    if (!text.includes("${") && (problem || parts.length > 1)) return "a reference where there is none";
    const filled = fillText(text, facts).text;
    fillValue({ a: [text] }, facts);
    const problems = checkReferences([text], catalogue);
    const loaded = interpolate([text], { bubble: { id: "cart" } });
    if (problem && (problems.length === 0 || loaded.ok)) return "badly written, and nobody says so";
    return filled.length > 200_000 ? `${filled.length} characters` : undefined;
  },
};

/** A condition that can be read, up to this deep. */
export function conditionBy(dice: Dice, depth: number): Condition {
  const kind = depth === 0 ? 3 + dice.below(4) : dice.below(7);
  if (kind < 2) {
    const parts = Array.from({ length: 2 + dice.below(2) }, () => conditionBy(dice, depth - 1));
    return { kind: kind === 0 ? "and" : "or", parts };
  }
  if (kind === 2) return { kind: "not", part: conditionBy(dice, depth - 1) };
  const path: Operand = { kind: "path", path: dice.pick(paths), at: 1 };
  const literal = () => ({ kind: "literal", value: dice.pick(values), at: 1 }) as const;
  if (kind === 3) return { kind: "is", operand: path };
  if (kind === 4) return { kind: "in", left: path, list: [literal(), literal()] };
  const other = dice.below(4) === 0 ? { ...path, path: dice.pick(paths) } : literal();
  const [left, right] = dice.below(4) === 0 ? [other, path] : [path, other];
  return { kind: "compare", operator: dice.pick(operators), left, right, at: 1 };
}

/** Conditions and references, each with its share of a long campaign. */
export const conditionTargets: readonly (readonly [target: Target, share: number])[] = [
  [conditions, 0.1],
  [references, 0.1],
];
