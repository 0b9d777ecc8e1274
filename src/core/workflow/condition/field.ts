// The other way to write a condition, as an object of field, operator and value: turned into the language of conditions,
// so that there is one language to check and to evaluate.
import { keepStart } from "../../model/sizes.ts";
import { nearest } from "../../text/nearest.ts";
import { isPath } from "../path.ts";
import { fallbackOf, loneReference, type Reference } from "../template.ts";
import { parseCondition } from "./parse.ts";
import { conditionText, literalText } from "./print.ts";
import type { Literal } from "./syntax.ts";

export interface FieldCondition {
  readonly field: unknown;
  readonly operator: unknown;
  readonly value?: unknown;
}

export type Said =
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

const said = (text: string): Said => ({ ok: true, text });
const wrong = (message: string): Said => ({ ok: false, message });

export function conditionOf({ field, operator, value }: FieldCondition): Said {
  const path = pathOf(field);
  if (!path.ok) return path;
  if (typeof operator !== "string" || !operators.includes(operator))
    return wrong(`there is no operator ${shown(operator)}${nearest(String(operator), operators)}`);
  const whole = wholeOf(path.text, operator, value);
  if (!whole.ok) return whole;
  const parsed = parseCondition(whole.text);
  return parsed.ok ? said(conditionText(parsed.condition)) : wrong(parsed.message);
}

const shown = (value: unknown): string => keepStart(JSON.stringify(value) ?? "undefined", 100);

function pathOf(field: unknown): Said {
  if (typeof field !== "string")
    return wrong(`field is a reference such as \${steps.reviewer.output.verdict}`);
  const reference = loneReference(field);
  if (reference) return referenceText(reference);
  return isPath(field) ? said(field) : wrong(`${shown(field)} is no reference to one value`);
}

function referenceText(reference: Reference): Said {
  if (!isPath(reference.path)) return wrong(`\${${reference.path}} is not known here`);
  const fallback = fallbackOf(reference);
  if (fallback === undefined) return said(reference.path);
  return isLiteral(fallback)
    ? said(`${reference.path}:-${literalText(fallback)}`)
    : wrong(`the default of \${${reference.path}} is a list or an object and cannot be compared`);
}

function wholeOf(path: string, operator: string, value: unknown): Said {
  if (operator === "exists") return existence(path, value);
  if (operator === "in") return membership(path, value);
  const other = valueText(value);
  return other.ok ? said(`${path} ${comparisons[operator]} ${other.text}`) : other;
}

/** There is a value: without a default only what is there can be unlike null. */
function existence(path: string, value: unknown): Said {
  if (path.includes(":-")) return wrong("a field with a default always exists");
  if (value === undefined || value === true) return said(`${path} != null`);
  return value === false ? said(`${path}:-null == null`) : wrong("exists goes with true, false or no value");
}

function membership(path: string, value: unknown): Said {
  if (!Array.isArray(value) || value.length === 0) return wrong("in needs a list of values");
  const odd = value.find((item) => !isLiteral(item));
  return odd === undefined
    ? said(`${path} in [${value.map(literalText).join(", ")}]`)
    : wrong(`${shown(odd)} in the list is not one value`);
}

function valueText(value: unknown): Said {
  if (!isLiteral(value))
    return wrong(value === undefined ? "value is missing" : `${shown(value)} is not one value`);
  if (typeof value !== "string" || !value.includes("${")) return said(literalText(value));
  const reference = loneReference(value);
  return reference
    ? referenceText(reference)
    : wrong(`${shown(value)} is neither one reference nor a plain text`);
}

function isLiteral(value: unknown): value is Literal {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
