// Findings and answers as agents type them on a command line.

import type { CodeLocation } from "../model/review/evidence.ts";
import { Answer, CheckedEvidence, Dispute, NewFinding } from "../model/review/finding.ts";
import { SopEntry } from "../model/review/verdict.ts";
import { keepStart } from "../model/value/sizes.ts";
import { check } from "../model/value/validate.ts";
import { isSubstantial } from "./evidence/words.ts";
import { expandSopId, expandSubjectId } from "./names.ts";

/** A value, or what is wrong with the words. */
export type ParsedFlag<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

const form = "P1:Title   or   P1(area):Title @ file:line | `quote` what is wrong with it";

/** `P1(area):Title @ file:line | evidence`; only severity and title are needed. */
export function parseFinding(text: string): ParsedFlag<NewFinding> {
  const [head = "", ...evidence] = text.split(" | ");
  const found = /^\s*(P\d)\s*(?:\(([^)]*)\))?\s*:\s*(.*)$/s.exec(head);
  if (!found) return { ok: false, problem: `${JSON.stringify(text)} is no finding; the form is ${form}` };
  const [, severity, area, rest = ""] = found;
  const at = rest.lastIndexOf(" @ ");
  const title = at >= 0 ? rest.slice(0, at) : rest;
  const place = at >= 0 ? parsePlace(rest.slice(at + 3)) : {};
  return checkSpoken(
    NewFinding,
    { severity, title, ...(area ? { area } : {}), ...place, ...buildProof(evidence.join(" | ")) },
    text,
    form,
  );
}

function buildProof(text: string): Pick<NewFinding, "evidence" | "quote" | "why"> {
  const { quote, rest } = quoteBefore(text);
  if (quote !== undefined) return { quote, why: rest };
  return text ? { evidence: text } : {};
}

function parsePlace(text: string): Partial<CodeLocation> {
  const found = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/.exec(text.trim());
  return { ...(found?.[1] ? { file: found[1] } : {}), ...buildLines(found?.[2], found?.[3]) };
}

const buildLines = (first: string | undefined, last: string | undefined) => ({
  ...(first ? { line: Number(first) } : {}),
  ...(last ? { end_line: Number(last) } : {}),
});

/** `` `quote` why ``: what is quoted first, and what it shows. Fewer than eight letters or digits are a name. */
function quoteBefore(text: string): { readonly quote?: string; readonly rest: string } {
  const found = /^\s*`([^`\n]+)`\s+(\S[\s\S]*)$/.exec(text);
  return found?.[1] && found[2] && isSubstantial(found[1])
    ? { quote: found[1], rest: found[2] }
    : { rest: text };
}

/** `F1` or `F1:reason`. */
export function parseAnswer(text: string, status: Answer["status"]): ParsedFlag<Answer> {
  const { id, reason } = buildIdAndReason(text);
  return checkSpoken(Answer, { id, status, ...(reason ? { reason } : {}) }, text, "F1   or   F1:reason");
}

export function parseDispute(text: string): ParsedFlag<Dispute> {
  const { id, reason } = buildIdAndReason(text);
  return checkSpoken(Dispute, { id, reason }, text, "F1:reason that can be checked");
}

function buildIdAndReason(text: string): { id: string; reason: string } {
  const colon = text.indexOf(":");
  return colon < 0
    ? { id: text.trim(), reason: "" }
    : { id: text.slice(0, colon).trim(), reason: text.slice(colon + 1).trim() };
}

const subject = /^(?:C\d+|sop:[\w.-]+|source\.doc\.sops\.[\w.-]+|for:[\w.-]+)$/;

/** `C1,C2 file:line why`, `sop:error-handling file:line why`, `file:line why`, or `file why`. */
export function parseChecked(text: string): ParsedFlag<CheckedEvidence> {
  const [first = "", rest = ""] = split(text);
  const subjects = first.split(",").filter(Boolean);
  if (subjects.length === 0 || !subjects.every((word) => subject.test(word))) return parseLooked(text);
  const looked = parseLooked(rest);
  if (!looked.ok) return looked;
  return { ok: true, value: { for: subjects.map(expandSubjectId), ...looked.value } };
}

const split = (text: string) => /^\s*(\S+)\s+(.+)$/s.exec(text)?.slice(1) ?? [];

const sopForm = "error-handling passed|violated|not_applicable file:line what you saw";

/** `slug status evidence`: one SOP, answered. What follows violated is the violation. */
export function parseSopAnswer(text: string): ParsedFlag<SopEntry> {
  const found = /^\s*(\S+)\s+(passed|violated|not_applicable)\s+(.+)$/s.exec(text);
  if (!found) return { ok: false, problem: `${JSON.stringify(text)} answers no SOP; the form is ${sopForm}` };
  const [, slug = "", status, evidence = ""] = found;
  const violations = status === "violated" ? [keepStart(evidence, 1000)] : [];
  return checkSpoken(SopEntry, { sop_id: expandSopId(slug), status, evidence, violations }, text, sopForm);
}

/** A name with spaces needs a folder before it, an ending, and a line. */
const looked = [
  /^\s*(\S+?):(\d+)(?:-(\d+))?\s+(.+)$/s,
  /^\s*([^:`]*\/[^:`]*\.\w+):(\d+)(?:-(\d+))?\s+(.+)$/s,
  /^\s*(\S+?)()()\s+(.+)$/s,
];

function parseLooked(text: string): ParsedFlag<CheckedEvidence> {
  const found = looked.map((form) => form.exec(text)).find((match) => match !== null);
  const { quote, rest } = quoteBefore(found?.[4] ?? "");
  if (!found)
    return {
      ok: false,
      problem: `${JSON.stringify(text)} does not say what was looked at; the form is file:line why`,
    };
  return checkSpoken(
    CheckedEvidence,
    { file: found[1], ...buildLines(found[2], found[3]), ...(quote ? { quote } : {}), why: rest },
    text,
    "file:line why",
  );
}

/** A JSON file of many findings: an array of objects with the fields of a finding. */
export function parseFindings(value: unknown): ParsedFlag<NewFinding[]> {
  if (!Array.isArray(value)) return { ok: false, problem: "the findings file must hold a JSON array" };
  const findings: NewFinding[] = [];
  for (const [i, item] of value.entries()) {
    const one = checkSpoken(
      NewFinding,
      item,
      `entry ${i + 1}`,
      "severity and title, optionally area, file, line, end_line, quote, why, advice",
    );
    if (!one.ok) return one;
    findings.push(one.value);
  }
  return { ok: true, value: findings };
}

function checkSpoken<T>(
  schema: Parameters<typeof check<T>>[0],
  value: unknown,
  said: string,
  shape: string,
): ParsedFlag<T> {
  const result = check(schema, value);
  if (result.ok) return result;
  const issue = result.issues[0];
  const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return {
    ok: false,
    problem: `${said.startsWith("entry") ? said : JSON.stringify(said)}: ${where}${issue?.message ?? "is not valid"}; the form is ${shape}`,
  };
}
