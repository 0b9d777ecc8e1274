// What a gate's patterns make of a run that ended well. The exit code decides first: a pattern can only turn a pass into
// a failure. Patterns are looked for line by line, in the output without colours.

import type { Gate, GateResult } from "../../model/gate.ts";
import { clip } from "../../model/value/sizes.ts";
import { compileMatcher, type Matcher } from "../pattern/matcher.ts";
import { mentionsZero, removeZeroCounts } from "../pattern/zero-counts.ts";
import { stripControlCharacters } from "./excerpt.ts";

export type Patterns = Pick<Gate, "success_pattern" | "failure_pattern">;

type Judged = Pick<GateResult, "status" | "hint">;

const longestPattern = 200;

/** Why a pattern cannot be used, as the end of a sentence; undefined if it can. */
export function checkPattern(pattern: string): string | undefined {
  return compileCached(pattern).flaw;
}

/** The outcome of a run with exit code 0. */
export function judgePatterns({ success_pattern, failure_pattern }: Patterns, output: string): Judged {
  if (success_pattern === undefined && failure_pattern === undefined) return { status: "passed" };
  const lines = stripControlCharacters(output).split(/\r|\n/);
  const failure = failure_pattern === undefined ? undefined : findFailureIn(lines, failure_pattern);
  if (failure) return failure;
  return success_pattern === undefined ? { status: "passed" } : judgeSuccess(lines, success_pattern);
}

function findFailureIn(lines: readonly string[], pattern: string): Judged | undefined {
  const search = compileCached(pattern);
  if (search.flaw !== undefined) return judgeUnusable("failure_pattern", pattern, search.flaw);
  const isMeant = mentionsZero(pattern)
    ? search.matches
    : (line: string) => search.matches(line) && search.matches(removeZeroCounts(line));
  const line = lines.find(isMeant);
  if (line === undefined)
    return search.isSpent() ? judgeUnusable("failure_pattern", pattern, tooLong) : undefined;
  const said = `a line of its output matches failure_pattern ${JSON.stringify(pattern)}: ${shortenLine(line)}`;
  return { status: "failed", hint: `it ended with exit code 0, but ${said}` };
}

function judgeSuccess(lines: readonly string[], pattern: string): Judged {
  const search = compileCached(pattern);
  if (search.flaw !== undefined) return judgeUnusable("success_pattern", pattern, search.flaw);
  if (lines.some(search.matches)) return { status: "passed" };
  if (search.isSpent()) return judgeUnusable("success_pattern", pattern, tooLong);
  const said = `no line of its output matches success_pattern ${JSON.stringify(pattern)}`;
  return { status: "failed", hint: `it ended with exit code 0, but ${said}` };
}

const tooLong = "looking for it in this output takes too long";

/** A pattern that cannot be looked for is nobody's failure and never a pass. */
function judgeUnusable(key: keyof Patterns, pattern: string, flaw: string): Judged {
  return { status: "error", hint: `${key} ${JSON.stringify(pattern)} cannot be used: ${flaw}` };
}

function compileCached(pattern: string): Matcher {
  if (pattern.trim() === "") return { flaw: "it is empty" };
  if (pattern.length > longestPattern) return { flaw: `it is longer than ${longestPattern} characters` };
  const matcher = compileMatcher(pattern);
  const isIdle = matcher.flaw === undefined && matcher.matches("");
  return isIdle ? { flaw: "it matches an empty line, so it says nothing" } : matcher;
}

/** A line as part of a sentence. */
function shortenLine(line: string): string {
  const text = line.trim();
  return clip(text, 160);
}
