// Findings and answers as agents type them on a command line.
import { Answer, Checked, Dispute, NewFinding } from "../model/finding.ts";
import { check } from "../model/validate.ts";
import { SopEntry } from "../model/verdict.ts";

/** A value, or what is wrong with the words. */
export type Spoken<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

const form = "P1:Title   or   P1(area):Title @ file:line | quoted evidence";

/** `P1(area):Title @ file:line | evidence`; only severity and title are needed. */
export function parseFinding(text: string): Spoken<NewFinding> {
  const [head = "", ...evidence] = text.split(" | ");
  const found = /^\s*(P\d)\s*(?:\(([^)]*)\))?\s*:\s*(.*)$/s.exec(head);
  if (!found) return { ok: false, problem: `${JSON.stringify(text)} is no finding; the form is ${form}` };
  const [, severity, area, rest = ""] = found;
  const at = rest.lastIndexOf(" @ ");
  const title = at >= 0 ? rest.slice(0, at) : rest;
  const place = at >= 0 ? parsePlace(rest.slice(at + 3)) : {};
  return checked(
    NewFinding,
    {
      severity,
      title,
      ...(area ? { area } : {}),
      ...place,
      ...(evidence.length > 0 ? { evidence: evidence.join(" | ") } : {}),
    },
    text,
    form,
  );
}

function parsePlace(text: string): { file?: string; line?: number } {
  const found = /^(.*?)(?::(\d+))?$/.exec(text.trim());
  return { ...(found?.[1] ? { file: found[1] } : {}), ...(found?.[2] ? { line: Number(found[2]) } : {}) };
}

/** `F1` or `F1:reason`. */
export function parseAnswer(text: string, status: Answer["status"]): Spoken<Answer> {
  const { id, reason } = idAndReason(text);
  return checked(Answer, { id, status, ...(reason ? { reason } : {}) }, text, "F1   or   F1:reason");
}

export function parseDispute(text: string): Spoken<Dispute> {
  const { id, reason } = idAndReason(text);
  return checked(Dispute, { id, reason }, text, "F1:reason that can be checked");
}

function idAndReason(text: string): { id: string; reason: string } {
  const colon = text.indexOf(":");
  return colon < 0
    ? { id: text.trim(), reason: "" }
    : { id: text.slice(0, colon).trim(), reason: text.slice(colon + 1).trim() };
}

const subject = /^(?:C\d+|sop:[\w.-]+|source\.doc\.sops\.[\w.-]+|for:[\w.-]+)$/;
const sopPrefix = "source.doc.sops.";

/** `C1,C2 file:line why`, `sop:error-handling file:line why`, `file:line why`, or `file why`. */
export function parseChecked(text: string): Spoken<Checked> {
  const [first = "", rest = ""] = split(text);
  const subjects = first.split(",").filter(Boolean);
  if (subjects.length === 0 || !subjects.every((word) => subject.test(word))) return parseLooked(text);
  const looked = parseLooked(rest);
  if (!looked.ok) return looked;
  return { ok: true, value: { for: subjects.map(subjectId), ...looked.value } };
}

const split = (text: string) => /^\s*(\S+)\s+(.+)$/s.exec(text)?.slice(1) ?? [];

/** `sop:slug` is the short form of an SOP's id, `for:word` of a question of the pass's duty. */
function subjectId(word: string): string {
  if (word.startsWith("sop:")) return sopId(word.slice(4));
  return word.startsWith("for:") ? word.slice(4) : word;
}

const sopId = (slug: string) => (slug.startsWith(sopPrefix) ? slug : `${sopPrefix}${slug}`);

const sopForm = "error-handling passed|violated|not_applicable file:line what you saw";

/** `slug status evidence`: one SOP, answered. What follows violated is the violation. */
export function parseSop(text: string): Spoken<SopEntry> {
  const found = /^\s*(\S+)\s+(passed|violated|not_applicable)\s+(.+)$/s.exec(text);
  if (!found) return { ok: false, problem: `${JSON.stringify(text)} answers no SOP; the form is ${sopForm}` };
  const [, slug = "", status, evidence = ""] = found;
  const violations = status === "violated" ? [evidence.slice(0, 1000)] : [];
  return checked(SopEntry, { sop_id: sopId(slug), status, evidence, violations }, text, sopForm);
}

function parseLooked(text: string): Spoken<Checked> {
  const found = /^\s*(\S+?)(?::(\d+))?\s+(.+)$/s.exec(text);
  if (!found)
    return {
      ok: false,
      problem: `${JSON.stringify(text)} does not say what was looked at; the form is file:line why`,
    };
  return checked(
    Checked,
    { file: found[1], ...(found[2] ? { line: Number(found[2]) } : {}), why: found[3] },
    text,
    "file:line why",
  );
}

/** A JSON file of many findings: an array of objects with the fields of a finding. */
export function parseFindings(value: unknown): Spoken<NewFinding[]> {
  if (!Array.isArray(value)) return { ok: false, problem: "the findings file must hold a JSON array" };
  const findings: NewFinding[] = [];
  for (const [i, item] of value.entries()) {
    const one = checked(
      NewFinding,
      item,
      `entry ${i + 1}`,
      "severity and title, optionally area, file, line, evidence",
    );
    if (!one.ok) return one;
    findings.push(one.value);
  }
  return { ok: true, value: findings };
}

function checked<T>(
  schema: Parameters<typeof check<T>>[0],
  value: unknown,
  said: string,
  shape: string,
): Spoken<T> {
  const result = check(schema, value);
  if (result.ok) return result;
  const issue = result.issues[0];
  const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return {
    ok: false,
    problem: `${said.startsWith("entry") ? said : JSON.stringify(said)}: ${where}${issue?.message ?? "is not valid"}; the form is ${shape}`,
  };
}
