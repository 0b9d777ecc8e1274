// Pieces of a briefing that both roles are told: headings, lists, the ledger of findings, how to signal.
import { formatLocation } from "../model/review/evidence.ts";
import type { Finding } from "../model/review/finding.ts";
import type { State } from "../model/state.ts";
import { getHistory } from "../state/workflow-position.ts";

/** A heading with its body; nothing when there is nothing to say. */
export function renderSection(title: string, body: string): string {
  return body.trim() ? `## ${title}\n\n${body.trim()}` : "";
}

export const renderBullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

/** Words of others: a heading among them is no heading of this prompt. */
export const renderQuotation = (words: string) =>
  words
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/** Every finding so far, for the agent that has to answer it. Whether an earlier critic took it for fixed is not said: each looks itself. */
export function renderKnownFindings(state: State): string {
  return list(
    state.findings.map((finding) =>
      isOpen(finding) ? describe(finding) : describeClosed(finding, "critic"),
    ),
    state,
  );
}

/** The same for the agent that has to fix them, with what the critic would do about each that is open. */
export function renderFindingsToFix(state: State): string {
  const told = getHistory(state).at(-1)?.critique ?? "";
  const lines = state.findings.map((finding) =>
    isOpen(finding)
      ? `${describe(finding)}${describeAdvice(finding, told)}`
      : describeClosed(finding, "maker"),
  );
  return list(lines, state);
}

const isOpen = ({ status }: Finding): boolean => status === "open";

/** The findings, and what their marks mean where one has such a mark. */
function list(lines: readonly string[], { findings }: State): string {
  const open = findings.filter(isOpen);
  const marks = [
    open.some(({ proven }) => !proven) ? "unproven: no place or quote of it is in the tree" : "",
    open.some(({ escaped }) => escaped)
      ? "escaped earlier: it is on lines that the last change did not touch, so earlier reviews have missed it"
      : "",
  ].filter(Boolean);
  return [lines.join("\n"), ...(marks.length > 0 ? [`(${marks.join("; ")})`] : [])].join("\n\n");
}

/** What is settled, in one line: it must stay so. */
function describeClosed(finding: Finding, reader: "maker" | "critic"): string {
  const { status, closedBecause: why } = finding;
  if (status === "fixed" && reader === "critic")
    return `${getHead(finding)} [reported earlier, not open any more]`;
  return `${getHead(finding)} [${status}]${why && status !== "fixed" ? `\n  ${status}: ${why}` : ""}`;
}

const getHead = ({ id, severity, title, ...finding }: Finding): string =>
  `- **${id}** ${severity} ${title}${finding.file ? ` — ${formatLocation({ ...finding, file: finding.file })}` : ""}`;

/** Advice that stands in the words of the review already is not said twice. */
function describeAdvice({ status, advice, title }: Finding, told: string): string {
  if (status !== "open" || !advice || advice === title || told.includes(advice)) return "";
  return `\n  advice: ${advice.trim().split(/\r?\n/).join("\n  ")}`;
}

function describe(finding: Finding): string {
  const marks = [finding.status, finding.proven ? "" : "unproven", finding.escaped ? "escaped earlier" : ""]
    .filter(Boolean)
    .join(", ");
  const proof = finding.evidence ?? [finding.quote, finding.why].filter(Boolean).join(" — ");
  const evidence = proof ? `\n  evidence: ${proof}` : "";
  const dispute = finding.dispute
    ? `\n  disputed by the producer: ${finding.dispute.reason}${finding.dispute.settled ? " (a human upheld the finding)" : ""}`
    : "";
  return `${getHead(finding)} [${marks}]${evidence}${dispute}`;
}

/** What a final answer without a terminal says about itself. */
export const signalRules = [
  'When you are done: `"status": "completed"` with a summary.',
  'When only a human can decide something: `"status": "needs_input"` with `questions`; you continue with the answers.',
  'When you cannot do it: `"status": "error"` with a `message`. When you are not ready: `"status": "in_progress"`, and you are started again in this session.',
].join("\n");

/** A form to fill in. */
export const renderAnswerExample = (example: unknown) =>
  `The form:\n\n\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;
