// Hints of the referee are commands to paste. Whoever answers in JSON is told which field each of their flags is there.

const fields: Readonly<Record<string, string>> = {
  summary: "summary",
  what: "package.what",
  why: "package.why",
  risks: "package.risks",
  "test-plan": "package.test_plan",
  "commit-message": "package.commit_message",
  dispute: "disputes",
  "no-change": "no_change",
  checkpoint: "checkpoint",
  paper: "paper",
  score: "score",
  finding: "findings",
  "no-findings": "findings, left empty",
  fixed: 'prior_findings with the status "fixed"',
  open: 'prior_findings with the status "open"',
  withdrawn: 'prior_findings with the status "withdrawn" and a reason',
  checked: "checked",
  sop: "sop_review",
  confidence: "confidence",
};

/** The fields that the flags of a hint mean, in one line; undefined where it names no such flag. */
export function flagsAsFields(hint: string): string | undefined {
  const flags = new Set([...hint.matchAll(/--([a-z-]+)/g)].flatMap(([, name = ""]) => name));
  const said = [...flags].flatMap((name) => (fields[name] ? `--${name} is ${fields[name]}` : []));
  return said.length > 0 ? `in your JSON answer: ${said.join("; ")}` : undefined;
}
