// References in texts and payloads: `${path}` and `${path:-default}`, read here and nowhere else. A string that is nothing
// but one reference keeps the type of what it refers to.
import { clip } from "../model/value/sizes.ts";
import { tryOr } from "../model/value/try-or.ts";
import { parseJson } from "../text/json.ts";
import { type Catalogue, getPathType, suggestPath } from "./catalogue.ts";
import { type Facts, getValueAt } from "./path.ts";
import type { WorkflowProblem } from "./problem.ts";

export interface Reference {
  readonly path: string;
  /** The default as it is written. */
  readonly fallback?: string;
  /** Where it begins in the text, counted from 0, and how it is written. */
  readonly at: number;
  readonly written: string;
}

/** A text in its parts: words as they are, and references. */
export interface ReferenceTemplate {
  readonly parts: readonly (string | Reference)[];
  /** What is wrong with how a reference is written. */
  readonly problem?: string;
}

/** A filled text may become a prompt or a line of the record: it has a limit. */
export const longestText = 200_000;

export function parseTemplate(text: string): ReferenceTemplate {
  const parts: (string | Reference)[] = [];
  let from = 0;
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", from)) {
    const end = findEnd(text, at + 2);
    const reference = end === undefined ? undefined : findReferenceIn(text.slice(at, end), at);
    if (!reference || end === undefined)
      return { parts: [...parts, text.slice(from)], problem: describeBroken(text.slice(at)) };
    parts.push(text.slice(from, at), reference);
    from = end;
  }
  return { parts: [...parts, text.slice(from)].filter((part) => part !== "") };
}

const describeBroken = (text: string) =>
  `${JSON.stringify(clip(text, 80))} has a reference that is empty or not closed`;

const braces = /[{}]/g;

/** Behind the brace that closes a reference; defaults may have braces of their own, in pairs. */
function findEnd(text: string, from: number): number | undefined {
  let open = 1;
  braces.lastIndex = from;
  for (let found = braces.exec(text); found; found = braces.exec(text)) {
    open += found[0] === "{" ? 1 : -1;
    if (open === 0) return found.index + 1;
  }
  return undefined;
}

/** No reference without a path, and none inside another. */
function findReferenceIn(written: string, at: number): Reference | undefined {
  const inner = written.slice(2, -1);
  const colon = inner.indexOf(":-");
  const path = (colon < 0 ? inner : inner.slice(0, colon)).trim();
  if (path === "" || inner.includes("${")) return undefined;
  return { path, at, written, ...(colon < 0 ? {} : { fallback: inner.slice(colon + 2) }) };
}

export function listReferences(text: string): Reference[] {
  return parseTemplate(text).parts.filter((part) => typeof part !== "string");
}

/** The default of a reference: JSON where it is JSON, and otherwise the text as it stands. */
export function getFallback({ fallback }: Reference): unknown {
  if (fallback === undefined) return undefined;
  return tryOr(() => parseJson(fallback), fallback);
}

/** The one reference that is the whole text. */
export function findLoneReference(text: string): Reference | undefined {
  const { parts } = parseTemplate(text);
  const [only] = parts;
  return parts.length === 1 && typeof only === "object" ? only : undefined;
}

/** A value inside a text: lists and objects as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (JSON.stringify(value) ?? "");
}

/** Fills in a text. What is missing is empty, and named. */
export function fillText(text: string, facts: Facts): { readonly text: string; readonly missing: string[] } {
  const missing: string[] = [];
  const filled = fillReferences(text, facts, missing);
  return { text: filled, missing: [...new Set(missing)] };
}

/** Fills in every text of a value, however deep. */
export function fillValue(
  value: unknown,
  facts: Facts,
): { readonly value: unknown; readonly missing: string[] } {
  const missing: string[] = [];
  const filled = mapTexts(value, (text) => {
    const only = findLoneReference(text);
    if (!only) return fillReferences(text, facts, missing);
    const found = lookUp(only, facts, missing);
    return typeof found === "string" ? clip(found, longestText) : found;
  });
  return { value: filled, missing: [...new Set(missing)] };
}

function fillReferences(text: string, facts: Facts, missing: string[]): string {
  let filled = "";
  for (const part of parseTemplate(text).parts) {
    filled += typeof part === "string" ? part : formatValue(lookUp(part, facts, missing));
    if (filled.length > longestText) break;
  }
  return clip(filled, longestText);
}

/** What a reference stands for; a value of null is there, only what is not there takes the default. */
export function resolveReference(reference: Reference, facts: Facts): unknown {
  const value = getValueAt(facts, reference.path);
  return value === undefined ? getFallback(reference) : value;
}

function lookUp(reference: Reference, facts: Facts, missing: string[]): unknown {
  const value = resolveReference(reference, facts);
  if (value !== undefined) return value;
  missing.push(reference.path);
  return "";
}

/** A value with each text in it replaced; `path` leads to the text. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: readonly (string | number)[]) => unknown,
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) return value.map((item, i) => mapTexts(item, change, [...path, i]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, [...path, key])]),
  );
}

/** References to what there is not, each once, with the path of the text it stands in. */
export function checkReferences(value: unknown, catalogue: Catalogue): WorkflowProblem[] {
  const problems: WorkflowProblem[] = [];
  mapTexts(value, (text, path) => {
    const { problem } = parseTemplate(text);
    if (problem) problems.push({ path, message: problem });
    for (const unknown of listPathsIn(text).filter((found) => getPathType(catalogue, found) === undefined))
      problems.push({ path, message: `\${${unknown}} is not known here${suggestPath(catalogue, unknown)}` });
    return text;
  });
  return problems;
}

const listPathsIn = (text: string): string[] => [...new Set(listReferences(text).map(({ path }) => path))];
