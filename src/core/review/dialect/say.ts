// How a critic is told to answer in its dialect: the fields that decide, what needs evidence, and both examples.
import type { Dialect } from "../../model/verdict.ts";
import type { Subject } from "../subjects.ts";
import { exampleReviews } from "./examples.ts";

export interface Asked {
  /** The tree to judge. */
  readonly tree: string;
  /** Ids of the findings that are open. */
  readonly open: readonly string[];
  readonly subjects: readonly Subject[];
}

const decides: Readonly<Record<Dialect, string>> = {
  findings:
    "New defects go into `findings` with a severity from P0 (worst) to P3; an empty list says that you found nothing new. `summary` says what you found. `converged` is true only when no finding is open and nothing else is missing.",
  decision:
    '`decision` is exactly "GO" or "NO_GO"; `feedback` says what is right or must change. A quality check that is false forbids GO. Name what must change in `findings`, P0 (worst) to P3; P0 and P1 forbid GO.',
  status:
    '`status` is exactly "approved", "needs_changes" or "needs_clarification"; `summary` says why. `scores` go from 0 to 10. What must change goes into `findings` (critical, high, medium, low), what makes it unusable into `blockers`; critical, high and blockers forbid approved. `rejection_type` only where its author cannot mend it: misscoped, architectural or too_big. needs_clarification needs `questions`, each with the answers you would choose from in `options` and why it matters in `context`.',
  verdict:
    '`verdict` is exactly "approved" or "rejected"; rejected needs `rejection_type`: fixable, misscoped, architectural or too_big. `sop_review`, `confidence` (0 to 1) and `feedback` are always needed. Name what must change in `findings`, P0 (worst) to P3; P0 and P1 forbid approved.',
  challenge:
    "`challenger_approved` is true when the output is ready to lock, otherwise false; `critique` names assumptions, gaps and risks. Name what must change in `findings`, P0 (worst) to P3; P0 and P1 forbid approval.",
};

/** What a critic without a terminal is told about its answer, in Markdown. */
export function howToSay(dialect: Dialect, asked: Asked): string {
  const { tree, open } = asked;
  return [
    "Change no file. Your final answer is one JSON object of the given schema and nothing else: no code fence, no text around it. Properties without a value are null or empty; no other properties are allowed.",
    decides[dialect],
    `\`tree\` is the id of the tree you judged: \`${tree}\`.`,
    evidence(asked),
    open.length > 0
      ? `\`prior_findings\` needs one entry for each open finding: ${open.join(", ")}. Each is fixed, open or withdrawn (with a reason).`
      : "",
    signal(dialect),
    "Two examples of the form. Their sentences are about no real file: an answer that repeats one is refused.",
    ...shown(dialect, asked),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function evidence({ subjects }: Asked): string {
  const place =
    "`file` and `line` must exist in the tree (`end_line` ends a range), `quote` must be text that stands there, and `why` says in your own words what it shows.";
  if (subjects.length === 0) return `What you looked at goes into \`checked\`: ${place}`;
  return [
    `An approval needs one entry in \`checked\` for each of these: ${place}`,
    subjects.map((subject) => `- ${entry(subject)}`).join("\n"),
  ].join("\n\n");
}

function entry({ kind, id, text }: Subject): string {
  if (kind === "file") return `\`"file": ${JSON.stringify(id)}\` (${text})`;
  const named = `\`"for": [${JSON.stringify(id)}]\``;
  return kind === "sop"
    ? `${named}, or an entry in \`sop_review\` with that \`sop_id\` and such places as its \`evidence\` (${text})`
    : `${named}: ${text.replace(/\s+/gu, " ")}`;
}

function signal(dialect: Dialect): string {
  const done = dialect === "status" ? "" : 'When you are done: `"status": "completed"`. ';
  return `${done}When only a human can decide something: \`"status": "needs_input"\` with \`questions\`; you go on with the answers. When you cannot do it: \`"status": "error"\` with a \`message\`. When you are not ready: \`"status": "in_progress"\`.`;
}

/** Both shapes of a written review, for critics that hand it in as a file. */
export function bothShapes(dialect: Dialect, { tree, open, subjects }: Asked): string {
  const { approving, rejecting } = exampleReviews(dialect, { tree, for: namedBy(subjects), open });
  const fenced = (example: object) => `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;
  return [
    decides[dialect],
    `Approving:\n\n${fenced(approving)}`,
    `Rejecting:\n\n${fenced(rejecting)}`,
    "Their sentences are about no real file: a review that repeats one is refused.",
  ].join("\n\n");
}

/** What the first example is evidence for: one of the real subjects, or the file itself. */
function namedBy(subjects: readonly Subject[]): string[] | null {
  const first = subjects.find(({ kind }) => kind !== "file");
  if (first) return [first.id];
  return subjects.length > 0 ? null : ["C1"];
}

/** Both examples with every property of the form, the real tree and the real names. */
function shown(dialect: Dialect, { tree, open, subjects }: Asked): string[] {
  const { approving, rejecting } = exampleReviews(dialect, { tree, for: namedBy(subjects), open });
  const whole = (example: object) =>
    `\`\`\`json\n${JSON.stringify({ status: "completed", ...example, questions: [], message: null })}\n\`\`\``;
  return [`Approving:\n\n${whole(approving)}`, `Rejecting:\n\n${whole(rejecting)}`];
}
