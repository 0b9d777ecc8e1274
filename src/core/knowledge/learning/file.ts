// What was learned, as a file: one line about the whole, then one candidate a line. Kept apart from the conventions that
// were accepted, because it belongs to a machine and those belong to the project.

import * as v from "valibot";
import { check } from "../../model/value/validate.ts";
import { parseJson } from "../../text/json.ts";
import { Candidate, type LearnedConventions, nothingLearned } from "../learning.ts";

const Head = v.strictObject({
  learned: v.literal(1),
  numbers: v.pipe(v.number(), v.integer(), v.minValue(0)),
  counted: v.array(v.pipe(v.string(), v.maxLength(63))),
});

export type ReadLearned =
  | { readonly ok: true; readonly learned: LearnedConventions }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Reads the whole file; a line that cannot be read makes all of it unreadable, because a human's no may stand in it. */
export function parseLearned(source: string): ReadLearned {
  const lines = source.split(/\r?\n/).map((line, i) => ({ line, at: i + 1 }));
  const [head, ...rest] = lines.filter(({ line }) => line.trim() !== "");
  if (!head) return { ok: true, learned: nothingLearned };
  const about = read(Head, head.line);
  if (typeof about === "string") return { ok: false, line: head.at, message: about };
  const candidates: Candidate[] = [];
  for (const { line, at } of rest) {
    const candidate = read(Candidate, line);
    if (typeof candidate === "string") return { ok: false, line: at, message: candidate };
    candidates.push(candidate);
  }
  return { ok: true, learned: { candidates, counted: about.counted, numbers: about.numbers } };
}

export function serializeLearned({ candidates, counted, numbers }: LearnedConventions): string {
  const lines = [{ learned: 1, numbers, counted }, ...candidates];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The value, or what is wrong with it. */
function read<T>(schema: v.GenericSchema<unknown, T>, line: string): T | string {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    return "is not JSON";
  }
  const checked = check(schema, value);
  if (checked.ok) return checked.value;
  const [issue] = checked.issues;
  return `${(issue?.path ?? []).join(".")} ${issue?.message ?? "is not valid"}`.trim();
}
