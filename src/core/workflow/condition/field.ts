// The other way to write a condition, as an object of field, operator and value: turned into the language of conditions,
// so that there is one language to check and to evaluate.
import { keepStart } from "../../model/value/sizes.ts";
import { suggestWord } from "../../text/nearest.ts";
import { isPath } from "../path.ts";
import { findLoneReference, getFallback, type Reference } from "../template.ts";
import { parseCondition } from "./parse.ts";
import { printCondition, printLiteral } from "./print.ts";
import type { Literal } from "./syntax.ts";

export interface FieldCondition {
  readonly field: unknown;
  readonly operator: unknown;
  readonly value?: unknown;
}

export type ParsedField =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

const comparisons: Readonly<Record<string, string>> = {
  eq: "==",
  ne: "!=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};
const operators: readonly string[] = [...Object.keys(comparisons), "in", "exists"];

const sayText = (text: string): ParsedField => ({ ok: true, text });
const failField = (message: string): ParsedField => ({ ok: false, message });

export function parseFieldCondition({ field, operator, value }: FieldCondition): ParsedField {
  const path = parsePath(field);
  if (!path.ok) return path;
  if (typeof operator !== "string" || !operators.includes(operator))
    return failField(
      `there is no operator ${shortenValue(operator)}${suggestWord(String(operator), operators)}`,
    );
  const whole = buildText(path.text, operator, value);
  if (!whole.ok) return whole;
  const parsed = parseCondition(whole.text);
  return parsed.ok ? sayText(printCondition(parsed.condition)) : failField(parsed.message);
}

const shortenValue = (value: unknown): string => keepStart(JSON.stringify(value) ?? "undefined", 100);

function parsePath(field: unknown): ParsedField {
  if (typeof field !== "string")
    return failField(`field is a reference such as \${steps.reviewer.output.verdict}`);
  const reference = findLoneReference(field);
  if (reference) return parseReference(reference);
  return isPath(field) ? sayText(field) : failField(`${shortenValue(field)} is no reference to one value`);
}

function parseReference(reference: Reference): ParsedField {
  if (!isPath(reference.path)) return failField(`\${${reference.path}} is not known here`);
  const fallback = getFallback(reference);
  if (fallback === undefined) return sayText(reference.path);
  return isLiteral(fallback)
    ? sayText(`${reference.path}:-${printLiteral(fallback)}`)
    : failField(`the default of \${${reference.path}} is a list or an object and cannot be compared`);
}

function buildText(path: string, operator: string, value: unknown): ParsedField {
  if (operator === "exists") return parseExistence(path, value);
  if (operator === "in") return parseMembership(path, value);
  const other = parseValue(value);
  return other.ok ? sayText(`${path} ${comparisons[operator]} ${other.text}`) : other;
}

/** There is a value: without a default only what is there can be unlike null. */
function parseExistence(path: string, value: unknown): ParsedField {
  if (path.includes(":-")) return failField("a field with a default always exists");
  if (value === undefined || value === true) return sayText(`${path} != null`);
  return value === false
    ? sayText(`${path}:-null == null`)
    : failField("exists goes with true, false or no value");
}

function parseMembership(path: string, value: unknown): ParsedField {
  if (!Array.isArray(value) || value.length === 0) return failField("in needs a list of values");
  const odd = value.find((item) => !isLiteral(item));
  return odd === undefined
    ? sayText(`${path} in [${value.map(printLiteral).join(", ")}]`)
    : failField(`${shortenValue(odd)} in the list is not one value`);
}

function parseValue(value: unknown): ParsedField {
  if (!isLiteral(value))
    return failField(value === undefined ? "value is missing" : `${shortenValue(value)} is not one value`);
  if (typeof value !== "string" || !value.includes("${")) return sayText(printLiteral(value));
  const reference = findLoneReference(value);
  return reference
    ? parseReference(reference)
    : failField(`${shortenValue(value)} is neither one reference nor a plain text`);
}

function isLiteral(value: unknown): value is Literal {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
