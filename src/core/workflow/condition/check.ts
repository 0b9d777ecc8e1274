// What is wrong with a condition before it is ever evaluated: paths that do not exist, and comparisons that could never
// come out true.
import { type Catalogue, type FactType, getPathType, listPathWords, suggestPath } from "../catalogue.ts";
import { printLiteral, printOperand } from "./print.ts";
import type { Condition, Flaw, Literal, LiteralOperand, Operand } from "./syntax.ts";

type Type = FactType | "null";

export function findFlaws(condition: Condition, catalogue: Catalogue): Flaw[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.parts.flatMap((part) => findFlaws(part, catalogue));
    case "not":
      return findFlaws(condition.part, catalogue);
    case "is":
      return findTruthFlaws(condition.operand, catalogue);
    case "in":
      return findMembershipFlaws(condition.left, condition.list, catalogue);
    case "compare":
      return findComparisonFlaws(condition, catalogue);
  }
}

/** Every path in a condition, in the order of the text. */
export function listOperands(condition: Condition): Operand[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.parts.flatMap(listOperands);
    case "not":
      return listOperands(condition.part);
    case "is":
      return [condition.operand];
    case "in":
      return [condition.left];
    case "compare":
      return [condition.left, condition.right];
  }
}

function inferType(operand: Operand, catalogue: Catalogue): Type {
  return operand.kind === "literal"
    ? inferLiteralType(operand.value)
    : (getPathType(catalogue, operand.path) ?? "any");
}

function inferLiteralType(value: Literal): Type {
  return value === null ? "null" : (typeof value as "boolean" | "number" | "string");
}

const isAny = (type: Type) => type === "any";
const chooseArticle = (type: Type) => (type === "null" || type === "any" ? type : `a ${type}`);
const buildFlaw = (message: string, { at }: Operand): Flaw => ({ message, column: at });

/** An unknown path, or a default of another type than the path's. */
function findOperandFlaws(operand: Operand, catalogue: Catalogue): Flaw[] {
  if (operand.kind === "literal") return [];
  const type = getPathType(catalogue, operand.path);
  if (type === undefined) return [buildFlaw(describeUnknown(operand.path, catalogue), operand)];
  if (operand.fallback === undefined || operand.fallback === null || isAny(type)) return [];
  const other = inferLiteralType(operand.fallback);
  if (other === type) return [];
  return [
    buildFlaw(
      `${operand.path} is ${chooseArticle(type)}; its default ${printLiteral(operand.fallback)} is ${chooseArticle(other)}`,
      operand,
    ),
  ];
}

function describeUnknown(path: string, catalogue: Catalogue): string {
  const hint = suggestPath(catalogue, path);
  const quote = hint ? "" : `; if it is meant as a text, quote it: ${JSON.stringify(path)}`;
  return `${path} is not known here${hint}${quote}`;
}

function findTruthFlaws(operand: Operand, catalogue: Catalogue): Flaw[] {
  const flaws = findOperandFlaws(operand, catalogue);
  const type = inferType(operand, catalogue);
  if (flaws.length > 0 || type === "boolean" || isAny(type)) return flaws;
  return [
    buildFlaw(
      `${printOperand(operand)} is ${chooseArticle(type)} and neither true nor false; compare it with something`,
      operand,
    ),
  ];
}

function findMembershipFlaws(left: Operand, list: readonly LiteralOperand[], catalogue: Catalogue): Flaw[] {
  const flaws = findOperandFlaws(left, catalogue);
  return flaws.length > 0 ? flaws : list.flatMap((item) => findEqualityFlaws("==", left, item, catalogue));
}

function findComparisonFlaws(condition: Condition & { kind: "compare" }, catalogue: Catalogue): Flaw[] {
  const { operator, left, right } = condition;
  const flaws = [...findOperandFlaws(left, catalogue), ...findOperandFlaws(right, catalogue)];
  if (flaws.length > 0) return flaws;
  if (operator === "==" || operator === "!=") return findEqualityFlaws(operator, left, right, catalogue);
  return [left, right].flatMap((side) => findOrderFlaws(operator, side, catalogue));
}

function findOrderFlaws(operator: string, operand: Operand, catalogue: Catalogue): Flaw[] {
  const type = inferType(operand, catalogue);
  if (type === "number" || isAny(type)) return [];
  return [
    buildFlaw(`${printOperand(operand)} is ${chooseArticle(type)}; ${operator} compares numbers`, operand),
  ];
}

function findEqualityFlaws(
  operator: "==" | "!=",
  left: Operand,
  right: Operand,
  catalogue: Catalogue,
): Flaw[] {
  const [one, other] = [inferType(left, catalogue), inferType(right, catalogue)];
  if (one === "null" || other === "null") return findNullFlaws(operator, left, right, catalogue);
  const list = one === "list" ? left : right;
  if (one === "list" || other === "list")
    return [buildFlaw(`${printOperand(list)} is a list and cannot be compared with one value`, list)];
  if (isAny(one) || isAny(other)) return [];
  if (one === other) return findWordFlaws(left, right, catalogue);
  return [
    buildFlaw(
      `${printOperand(left)} is ${chooseArticle(one)} and ${printOperand(right)} is ${chooseArticle(other)}: they are never equal`,
      right,
    ),
  ];
}

/** What is missing is not null: without a default this could never be true. */
function findNullFlaws(operator: "==" | "!=", left: Operand, right: Operand, catalogue: Catalogue): Flaw[] {
  const path = left.kind === "path" ? left : right;
  if (operator === "!=" || path.kind === "literal" || path.fallback === null) return [];
  if (isAny(inferType(path, catalogue))) return [];
  return [
    buildFlaw(
      `${path.path} is never null; to ask whether it is missing, write ${path.path}:-null == null`,
      path,
    ),
  ];
}

function findWordFlaws(left: Operand, right: Operand, catalogue: Catalogue): Flaw[] {
  const [path, literal] = left.kind === "path" ? [left, right] : [right, left];
  if (path.kind !== "path" || literal.kind !== "literal" || typeof literal.value !== "string") return [];
  const words = listPathWords(catalogue, path.path);
  if (!words || words.includes(literal.value)) return [];
  return [
    buildFlaw(`${path.path} is one of ${words.join(", ")} and never ${printLiteral(literal.value)}`, literal),
  ];
}
