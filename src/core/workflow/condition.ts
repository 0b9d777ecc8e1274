// Conditions: dotted paths, literals, comparisons, `in`, and/or/not. They compare and do nothing else. A missing value
// never makes a condition true: `not` of something missing is missing too, and only what is true holds.
import type { Catalogue } from "./catalogue.ts";
import { findFlaws, listOperands } from "./condition/check.ts";
import { type Allowance, evaluateCondition, findLimit } from "./condition/evaluate.ts";
import { parseCondition } from "./condition/parse.ts";
import type { Flaw } from "./condition/syntax.ts";
import type { Facts } from "./path.ts";

export { parseFieldCondition } from "./condition/field.ts";
export { parseCondition } from "./condition/parse.ts";
export { printCondition } from "./condition/print.ts";
export type { Condition, Flaw } from "./condition/syntax.ts";

/** What is wrong with a condition, each with the column inside its text; empty: nothing. */
export function checkCondition(text: string, catalogue: Catalogue): Flaw[] {
  const parsed = parseCondition(text);
  return parsed.ok
    ? findFlaws(parsed.condition, catalogue)
    : [{ message: parsed.message, column: parsed.column }];
}

/** Is it true, by these facts? What cannot be read holds never. */
export function isConditionTrue(text: string, facts: Facts, allowance: Allowance = {}): boolean {
  const parsed = parseCondition(text);
  return parsed.ok && evaluateCondition(parsed.condition, facts, allowance) === true;
}

/** The paths a condition looks at, each once. */
export function listConditionPaths(text: string): string[] {
  const parsed = parseCondition(text);
  if (!parsed.ok) return [];
  const operands = listOperands(parsed.condition);
  return [...new Set(operands.flatMap((operand) => (operand.kind === "path" ? [operand.path] : [])))];
}

/**
 * The first iteration that a limit on the iterations allows no more: 3 for `execution.iteration < 3`, 4 for `<= 3`.
 * Undefined: the condition is no limit, or not only one.
 */
export function findLimitIn(text: string): number | undefined {
  const parsed = parseCondition(text);
  return parsed.ok ? findLimit(parsed.condition) : undefined;
}
