// Reading a paper: its form, its size, the rules of its kind; and then what only the referee knows is put in.

import { takeFitting } from "../model/value/sizes.ts";
import { dropAbsent, isObject } from "../schema/absent.ts";
import { parseShape } from "../schema/problems.ts";
import type { PaperContext, PaperKind, PaperValue } from "./kind.ts";

export type PaperRead =
  | { readonly ok: true; readonly value: PaperValue }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Characters of a paper as JSON. */
const longest = 32_000;
/** A line of the record has to hold it beside the words of its author. */
const mostBytes = 44_000;

export function readPaper(kind: PaperKind, given: unknown, context: PaperContext): PaperRead {
  const value = dropAbsent(given);
  if (!isObject(value)) return failReading([`the paper ${kind.name} is one JSON object`]);
  const tooLong = findSizeProblem(value);
  if (tooLong) return failReading([tooLong]);
  const formed = parseShape(kind.schema, value);
  if (!formed.ok)
    return failReading(
      formed.problems.map((problem) => problem.replace("this answer", `the paper ${kind.name}`)),
    );
  const problems = kind.problems(formed.value, context);
  return problems.length > 0
    ? failReading(problems)
    : { ok: true, value: kind.complete(formed.value, context) };
}

function findSizeProblem(value: PaperValue): string | undefined {
  const { length } = JSON.stringify(value);
  if (length <= longest && takeFitting([value], mostBytes).length > 0) return undefined;
  return `it has ${length} characters as JSON; at most ${longest} (and ${mostBytes} bytes): say less, or split it`;
}

const failReading = (problems: readonly string[]): PaperRead => ({ ok: false, problems });
