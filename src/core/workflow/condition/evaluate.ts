// Whether a condition holds, in three values: true, false, and missing (undefined) where nothing is known. What is missing
// stays missing through `not`, so that a condition is never true because something is not there.
import { type Facts, getValueAt } from "../path.ts";
import type { Comparison, Condition, Operand } from "./syntax.ts";

type Truth = boolean | undefined;

export interface Allowance {
  /** Rounds a human granted on top: limits on the iteration count as if they were so much higher. */
  readonly extra?: number;
}

/** The paths that count rounds. */
const iterationPaths: readonly string[] = [
  "execution.iteration",
  "pair.iteration",
  "review.iteration",
  "task.iteration",
];

export function evaluateCondition(condition: Condition, facts: Facts, allowance: Allowance): Truth {
  switch (condition.kind) {
    case "and":
      return conjoin(condition.parts.map((part) => evaluateCondition(part, facts, allowance)));
    case "or":
      return negateTruth(
        conjoin(condition.parts.map((part) => negateTruth(evaluateCondition(part, facts, allowance)))),
      );
    case "not":
      return negateTruth(evaluateCondition(condition.part, facts, allowance));
    case "compare":
      return compareOperands(condition, facts, allowance);
    case "in": {
      const value = toScalar(lookUpOperand(condition.left, facts));
      return value === undefined ? undefined : condition.list.some((item) => item.value === value);
    }
    case "is": {
      const value = lookUpOperand(condition.operand, facts);
      return typeof value === "boolean" ? value : undefined;
    }
  }
}

function conjoin(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

const negateTruth = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

/** A value of null is there; only what is not there takes the default. */
function lookUpOperand(operand: Operand, facts: Facts): unknown {
  if (operand.kind === "literal") return operand.value;
  const value = getValueAt(facts, operand.path);
  return value === undefined ? operand.fallback : value;
}

/** What can be equal to something; lists, objects and impossible numbers cannot be compared. */
function toScalar(value: unknown): string | number | boolean | null | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  return undefined;
}

type Compare = Condition & { readonly kind: "compare" };

function compareOperands(condition: Compare, facts: Facts, { extra = 0 }: Allowance): Truth {
  const { operator, left, right } = putPathFirst(condition);
  const one = lookUpOperand(left, facts);
  const other = lookUpOperand(right, facts);
  if (operator === "==") return isEqual(one, other);
  if (operator === "!=") return negateTruth(isEqual(one, other));
  if (typeof one !== "number" || typeof other !== "number") return undefined;
  return compareNumbers(operator, one, findLimit(condition) === undefined ? other : other + extra);
}

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** `3 > execution.iteration` says the same as `execution.iteration < 3`. */
function putPathFirst(condition: Compare): Compare {
  const { operator, left, right } = condition;
  if (left.kind === "path" || right.kind === "literal") return condition;
  return { ...condition, operator: mirrored[operator], left: right, right: left };
}

/** Anything that is there is equal to null or not; otherwise only single values can be compared. */
function isEqual(one: unknown, other: unknown): Truth {
  if (one === undefined || other === undefined) return undefined;
  if (one === null || other === null) return one === other;
  const [a, b] = [toScalar(one), toScalar(other)];
  return a === undefined || b === undefined ? undefined : a === b;
}

function compareNumbers(operator: Exclude<Comparison, "==" | "!=">, one: number, other: number): Truth {
  if (Number.isNaN(one) || Number.isNaN(other)) return undefined;
  if (operator === "<") return one < other;
  if (operator === "<=") return one <= other;
  return operator === ">" ? one > other : one >= other;
}

/** The first iteration a comparison does not allow any more, where it bounds the iteration by a number. */
export function findLimit(condition: Condition): number | undefined {
  if (condition.kind !== "compare") return undefined;
  const { operator, left, right } = putPathFirst(condition);
  if (left.kind !== "path" || !iterationPaths.includes(left.path)) return undefined;
  if (right.kind !== "literal" || typeof right.value !== "number") return undefined;
  if (operator === "<=") return right.value + 1;
  return operator === "<" ? right.value : undefined;
}
