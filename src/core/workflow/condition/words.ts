// A condition as a person would say it: "verdict of reviewer is approved". What cannot be read is shown as it is written.
import { parseCondition } from "./parse.ts";
import type { Comparison, Condition, Operand } from "./syntax.ts";

export function describeCondition(text: string): string {
  const parsed = parseCondition(text);
  return parsed.ok ? sayCondition(parsed.condition) : text;
}

function sayCondition(condition: Condition): string {
  switch (condition.kind) {
    case "and":
      return condition.parts.map((part) => sayPart(part, ["or"])).join(" and ");
    case "or":
      return condition.parts.map((part) => sayPart(part, [])).join(", or ");
    case "not":
      return `not (${sayCondition(condition.part)})`;
    case "compare":
      return sayComparison(condition);
    case "in":
      return `${sayOperand(condition.left)} is one of ${condition.list.map(sayOperand).join(", ")}`;
    case "is":
      return `${sayOperand(condition.operand)} is so`;
  }
}

function sayPart(condition: Condition, kinds: readonly string[]): string {
  const text = sayCondition(condition);
  return kinds.includes(condition.kind) ? `(${text})` : text;
}

const verbs: Readonly<Record<Comparison, string>> = {
  "==": "is",
  "!=": "is not",
  "<=": "is at most",
  ">=": "is at least",
  "<": "is below",
  ">": "is above",
};

function sayComparison({ operator, left, right }: Extract<Condition, { kind: "compare" }>): string {
  const isEmpty = right.kind === "literal" && (right.value === "" || right.value === null);
  if (isEmpty && operator === "==") return `${sayOperand(left)} is absent`;
  if (isEmpty && operator === "!=") return `${sayOperand(left)} is there`;
  return `${sayOperand(left)} ${verbs[operator]} ${sayOperand(right)}`;
}

function sayOperand(operand: Operand): string {
  if (operand.kind === "literal") return String(operand.value);
  const usual = operand.fallback === undefined ? "" : ` (otherwise ${String(operand.fallback)})`;
  return `${sayPath(operand.path)}${usual}`;
}

/** `steps.reviewer.output.verdict` is the verdict of reviewer; any other path is read from its end. */
function sayPath(path: string): string {
  const [head = "", owner = "", ...rest] = path.split(".").map((part) => part.replaceAll("_", " "));
  if (owner === "") return head;
  if (head === "steps" && rest[0] === "output") return [...rest.slice(1).reverse(), owner].join(" of ");
  if (head === "papers") return [...rest.reverse(), `the paper ${owner}`].join(" of ");
  return [...rest.reverse(), owner, `the ${head}`].join(" of ");
}
