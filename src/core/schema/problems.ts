// What is wrong with the form of an answer, in sentences: what is missing, what does not belong, and what was meant.
import * as v from "valibot";
import { describeIssue } from "../model/value/issue-text.ts";
import { clip } from "../model/value/sizes.ts";
import { suggestWord } from "../text/nearest.ts";

export type ShapeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** More than these nobody fixes in one go. */
const most = 20;

/** A value in the form of a schema, or the ways in which it is not. */
export function parseShape<T>(schema: v.GenericSchema<unknown, T>, value: unknown): ShapeResult<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return { ok: true, value: result.output };
  return {
    ok: false,
    problems: result.issues.slice(0, most).map((issue) => describeIssueInWords(schema, issue)),
  };
}

function describeIssueInWords(schema: v.GenericSchema, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map((item) => item.key as string | number);
  const place = keys.map((key) => clip(String(key), 60)).join(".") || "the answer";
  if (issue.type === "strict_object" && issue.expected === "never")
    return `${place} is not a field of this answer${suggestWord(clip(String(keys.at(-1)), 60), listNamesAt(schema, keys))}`;
  const words = clip(describeIssue(issue), 300);
  return words === "is missing" ? `${place} ${words}` : `${place}: ${words}`;
}

/** The fields that are known where the last key of a path stands. */
function listNamesAt(schema: v.GenericSchema, keys: readonly (string | number)[]): string[] {
  let here: Inside | undefined = schema as Inside;
  for (const key of keys.slice(0, -1)) here = findInner(here, key);
  return Object.keys(unwrapSchema(here)?.entries ?? {});
}

/** The parts of a schema that can be walked into. */
interface Inside {
  readonly wrapped?: Inside;
  readonly item?: Inside;
  readonly entries?: Readonly<Record<string, Inside>>;
}

const findInner = (schema: Inside | undefined, key: string | number): Inside | undefined => {
  const open = unwrapSchema(schema);
  return typeof key === "number" ? open?.item : open?.entries?.[key];
};

const unwrapSchema = (schema: Inside | undefined): Inside | undefined =>
  schema?.wrapped ? unwrapSchema(schema.wrapped) : schema;
