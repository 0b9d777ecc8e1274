// A condition as text again: reading it once more gives the same condition.
import type { Condition, Literal, Operand } from "./syntax.ts";

export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case "and":
      return condition.parts.map((part) => wrapped(part, ["and", "or"])).join(" and ");
    case "or":
      return condition.parts.map((part) => wrapped(part, ["or"])).join(" or ");
    case "not":
      return `not ${wrapped(condition.part, ["and", "or"])}`;
    case "compare":
      return `${operandText(condition.left)} ${condition.operator} ${operandText(condition.right)}`;
    case "in":
      return `${operandText(condition.left)} in [${condition.list.map(operandText).join(", ")}]`;
    case "is":
      return operandText(condition.operand);
  }
}

function wrapped(condition: Condition, kinds: readonly string[]): string {
  const text = conditionText(condition);
  return kinds.includes(condition.kind) ? `(${text})` : text;
}

export function operandText(operand: Operand): string {
  if (operand.kind === "literal") return literalText(operand.value);
  return operand.fallback === undefined ? operand.path : `${operand.path}:-${literalText(operand.fallback)}`;
}

export function literalText(value: Literal): string {
  return JSON.stringify(value);
}
