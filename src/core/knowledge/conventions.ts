// Habits of the project that reviewers noticed and a human accepted: one JSON object a line, lowest in priority. What no
// human has consented to is kept in the file and told to nobody.

import * as v from "valibot";
import { defineTextField } from "../model/value/field.ts";
import { keepStart } from "../model/value/sizes.ts";
import { check } from "../model/value/validate.ts";
import { checkGlob } from "../text/glob.ts";
import { tryParseJson } from "../text/json.ts";
import { suggestWord } from "../text/nearest.ts";

export const Convention = v.strictObject({
  name: defineTextField(200),
  pattern: defineTextField(1000),
  applies_to: v.pipe(v.array(defineTextField(400)), v.minLength(1)),
  accepted_by: defineTextField(200),
  accepted_at: defineTextField(40),
  evidence: v.optional(v.array(defineTextField(2000)), []),
});
export type Convention = v.InferOutput<typeof Convention>;

export interface ConventionProblem {
  readonly line: number;
  readonly message: string;
}

export interface ReadConventions {
  readonly accepted: readonly Convention[];
  /** Names of what waits for a human's consent. */
  readonly waiting: readonly string[];
  readonly problems: readonly ConventionProblem[];
}

const moment = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A line of the file: consent may be missing, but not half of it. */
const Line = v.strictObject({
  name: defineTextField(200),
  pattern: defineTextField(1000),
  applies_to: v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === "string" ? [value] : value)),
    Convention.entries.applies_to,
  ),
  accepted_by: v.optional(defineTextField(200)),
  accepted_at: v.optional(v.pipe(defineTextField(40), v.regex(moment, "must be a date such as 2026-03-01"))),
  evidence: Convention.entries.evidence,
});

/** Reads the whole file; every bad line is a problem of its own. */
export function parseConventions(source: string): ReadConventions {
  const accepted: Convention[] = [];
  const waiting: string[] = [];
  const problems: ConventionProblem[] = [];
  const seen = new Map<string, number>();
  for (const [i, line] of source
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line);
    if (!read.ok) problems.push(...read.messages.map((message) => ({ line: i + 1, message })));
    else {
      const { name, accepted_by, accepted_at } = read.value;
      const before = seen.get(name);
      if (before)
        problems.push({ line: i + 1, message: `${JSON.stringify(name)} stands on line ${before} already` });
      else if (accepted_by && accepted_at) accepted.push({ ...read.value, accepted_by, accepted_at });
      else waiting.push(name);
      seen.set(name, i + 1);
    }
  }
  return { accepted, waiting, problems };
}

type ReadLine =
  | { readonly ok: true; readonly value: v.InferOutput<typeof Line> }
  | { readonly ok: false; readonly messages: readonly string[] };

function readLine(line: string): ReadLine {
  const value = tryParseJson(line);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, messages: ["is not one JSON object"] };
  const keys = Object.keys(Line.entries);
  const strangers = Object.keys(value).filter((key) => !keys.includes(key));
  const messages = strangers.map((key) => `there is no key ${keepStart(key, 60)}${suggestWord(key, keys)}`);
  const given = Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
  const checked = check(Line, given);
  if (!checked.ok)
    messages.push(...checked.issues.map(({ path, message }) => addSubjectToMessage(path, message)));
  else messages.push(...listProblems(checked.value));
  return checked.ok && messages.length === 0 ? { ok: true, value: checked.value } : { ok: false, messages };
}

function listProblems({ applies_to, accepted_by, accepted_at }: v.InferOutput<typeof Line>): string[] {
  const globs = applies_to.flatMap((glob) => {
    const problem = checkGlob(glob);
    return problem ? [`applies_to: ${JSON.stringify(glob)} ${problem}`] : [];
  });
  const half = Boolean(accepted_by) !== Boolean(accepted_at);
  return [...globs, ...(half ? ["accepted_by and accepted_at belong together"] : [])];
}

function addSubjectToMessage(path: readonly (string | number)[], message: string): string {
  const key = String(path[0] ?? "");
  return /^(?:must|is) /.test(message) ? `${key} ${message}` : `${key}: ${message}`;
}
