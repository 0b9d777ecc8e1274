// Papers as models hand them in on their CLIs, and what the strict form of both vendors demands of a schema.

import { findPaperKind } from "../../src/core/paper/kinds.ts";
import { formatStrictPaper } from "../../src/core/paper/strict-form.ts";
import type { Schema } from "../../src/core/schema/json-schema.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The final answer that hands in a paper of this kind. */
export function handsIn(kind: string, value: Fields, summary: string) {
  const known = findPaperKind(kind);
  if (!known) throw new Error(`there is no paper ${kind}`);
  return { ...quiet, status: "completed", summary, paper: formatStrictPaper(known, value) };
}

/** The final answer of an author that asks instead. */
export function asksFor(question: string, options: readonly string[]) {
  const asked = { id: "q1", question, options, context: null };
  return { ...quiet, status: "needs_input", questions: [asked], summary: null, paper: null };
}

const quiet = { questions: [], message: null, disputes: [] };

/** Words that the strict form of both vendors takes. */
const allowed = ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];
const deepest = 10;

/** What is not in the strict form: places and reasons. */
export function notStrict(schema: Schema, path = "$", depth = 1): string[] {
  const {
    properties,
    items,
    required = [],
  } = schema as { properties?: Record<string, Schema>; items?: Schema; required?: string[] };
  const names = Object.keys(properties ?? {});
  const isObject = [schema.type].flat().includes("object");
  return [
    ...Object.keys(schema)
      .filter((word) => !allowed.includes(word))
      .map((word) => `${path}: ${word}`),
    ...(schema.type === undefined ? [`${path}: no type`] : []),
    ...(depth > deepest ? [`${path}: deeper than ${deepest}`] : []),
    ...(isObject && schema.additionalProperties !== false ? [`${path}: open`] : []),
    ...names.filter((name) => !required.includes(name)).map((name) => `${path}.${name}: not required`),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      notStrict(inner, `${path}.${name}`, depth + 1),
    ),
    ...(items ? notStrict(items, `${path}[]`, depth + 1) : []),
  ];
}
