// Findings that a verdict implies without listing them: a blocker, a failed check, a violated SOP, a rejection in prose.
import type { NewFinding, Severity } from "../../model/review/finding.ts";
import { renderSopEvidence, type SopEntry } from "../../model/review/verdict.ts";
import { clip } from "../../model/value/sizes.ts";
import { isSameFinding, isWorse } from "../findings/ledger.ts";

const titleLength = 300;
const adviceLength = 2000;
const evidenceLength = 4000;

/** A finding out of prose: its title is cut to fit, and what was cut off stays readable beside it. */
export function buildFinding(severity: Severity, said: string, more: Partial<NewFinding> = {}): NewFinding {
  const line = said.trim().replace(/\s+/gu, " ");
  const whole = line.length > titleLength || line !== said.trim();
  return {
    severity,
    title: clip(line, titleLength),
    ...(whole ? { advice: clip(said.trim(), adviceLength) } : {}),
    ...more,
  };
}

/** The finding of a violated SOP; its title begins with the SOP's id. Who knows the SOP's severity may grade it anew. */
export function buildSopFinding(entry: SopEntry, severity: Severity = "P1"): NewFinding {
  const { sop_id: id, evidence, violations } = entry;
  const said = clip(renderSopEvidence(entry), evidenceLength);
  const [first] = typeof evidence === "string" ? [] : evidence;
  return buildFinding(severity, `${id}: ${violations.join("; ")}`, {
    area: sopArea,
    ...(first ?? (said ? { evidence: said } : {})),
  });
}

export const sopArea = "sop";

export const isGrave = ({ severity }: NewFinding): boolean => severity === "P0" || severity === "P1";

/** Whether a listed finding that blocks names this: then it covers it. */
export function isNamedIn(listed: readonly NewFinding[], name: string): boolean {
  const wanted = foldText(name);
  return listed.filter(isGrave).some(({ title, area = "", evidence = "", why = "", advice = "" }) =>
    [title, area, evidence, why, advice].map(foldText).some((said) =>
      // A short word stands in many texts by chance.
      wanted.length < 8 ? said === wanted : said.includes(wanted),
    ),
  );
}

const foldText = (said: string) => said.toLowerCase().replace(/[\s_]+/gu, " ");

/** The findings of violated SOPs that no listed finding stands for. */
export function listSopFindings(entries: readonly SopEntry[], listed: readonly NewFinding[]): NewFinding[] {
  return entries
    .filter(({ status }) => status === "violated")
    .filter(({ sop_id: id }) => !isNamedIn(listed, id))
    .filter(({ violations }) => !violations.every((violation) => isNamedIn(listed, violation)))
    .map((entry) => buildSopFinding(entry));
}

/** Listed findings and what else follows, each thing once: the worse severity of what is said twice. */
export function mergeFindings(listed: readonly NewFinding[], implied: readonly NewFinding[]): NewFinding[] {
  const all = [...listed];
  for (const finding of implied) {
    const at = all.findIndex((other) => isSameFinding({ ...other, file: "" }, { ...finding, file: "" }));
    const other = all[at];
    if (!other) all.push(finding);
    else if (isWorse(finding, other)) all[at] = { ...other, severity: finding.severity };
  }
  return all;
}
