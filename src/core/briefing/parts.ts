// Pieces of a briefing that both roles are told: headings, lists, the ledger of findings, how to signal.
import type { Finding } from "../model/finding.ts";
import type { State } from "../model/state.ts";

/** A heading with its body; nothing when there is nothing to say. */
export function section(title: string, body: string): string {
  return body.trim() ? `## ${title}\n\n${body.trim()}` : "";
}

export const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

/** Every finding so far, for whoever has to answer it. */
export function findingsText(state: State): string {
  return state.findings.map(describe).join("\n");
}

function describe(finding: Finding): string {
  const place = finding.file ? ` — ${finding.file}${finding.line ? `:${finding.line}` : ""}` : "";
  const marks = [finding.status, finding.proven ? "" : "unproven", finding.escaped ? "escaped earlier" : ""]
    .filter(Boolean)
    .join(", ");
  const evidence = finding.evidence ? `\n  evidence: ${finding.evidence}` : "";
  const dispute = finding.dispute
    ? `\n  disputed by the producer: ${finding.dispute.reason}${finding.dispute.settled ? " (a human upheld the finding)" : ""}`
    : "";
  const closed = finding.closedBecause ? `\n  ${finding.status}: ${finding.closedBecause}` : "";
  return `- **${finding.id}** ${finding.severity} ${finding.title}${place} [${marks}]${evidence}${dispute}${closed}`;
}

/** What a final answer without a terminal says about itself. */
export const signalRules = [
  'When you are done: `"status": "completed"` with a summary.',
  'When only a human can decide something: `"status": "needs_input"` with `questions`; you go on with the answers.',
  'When you cannot do it: `"status": "error"` with a `message`. When you are not ready: `"status": "in_progress"`.',
].join("\n");

/** A form to fill in. */
export const answerExample = (example: unknown) =>
  `The form:\n\n\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;
