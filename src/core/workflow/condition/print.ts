// A condition as text again: reading it once more gives the same condition.
import type { Condition, Literal, Operand } from "./syntax.ts";

export function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case "and":
      return condition.parts.map((part) => printWrapped(part, ["and", "or"])).join(" and ");
    case "or":
      return condition.parts.map((part) => printWrapped(part, ["or"])).join(" or ");
    case "not":
      return `not ${printWrapped(condition.part, ["and", "or"])}`;
    case "compare":
      return `${printOperand(condition.left)} ${condition.operator} ${printOperand(condition.right)}`;
    case "in":
      return `${printOperand(condition.left)} in [${condition.list.map(printOperand).join(", ")}]`;
    case "is":
      return printOperand(condition.operand);
  }
}

function printWrapped(condition: Condition, kinds: readonly string[]): string {
  const text = printCondition(condition);
  return kinds.includes(condition.kind) ? `(${text})` : text;
}

export function printOperand(operand: Operand): string {
  if (operand.kind === "literal") return printLiteral(operand.value);
  return operand.fallback === undefined ? operand.path : `${operand.path}:-${printLiteral(operand.fallback)}`;
}

export function printLiteral(value: Literal): string {
  return JSON.stringify(value);
}
