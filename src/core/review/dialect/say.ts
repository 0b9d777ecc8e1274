// How a critic is told to answer in its dialect: the fields that decide, what needs evidence, and both examples.
import type { Dialect } from "../../model/review/verdict.ts";
import type { Subject } from "../subjects.ts";
import { buildExampleReviews, type ExampleFilling } from "./examples.ts";

export interface ReviewRequest {
  /** The tree to judge. */
  readonly tree: string;
  /** Ids of the findings that are open. */
  readonly open: readonly string[];
  readonly subjects: readonly Subject[];
  /** The confidence below which a human is asked whether the review counts. */
  readonly minConfidence: number;
}

/** Where a rejection leads, for the dialects that say it. */
const rejections = {
  fixable: "`fixable`: its author can fix it within this task, and gets it back",
  others: [
    "`misscoped`: the boundaries of the task are wrong (it needs what it may not touch, or asks for the wrong thing); the task is cut anew",
    "`architectural`: the design cannot work however it is coded; the design is changed first",
    "`too_big`: sound, but too much to make and review at once; it is split",
  ],
  rest: "Where the workflow has no way for it, a human is asked.",
} as const;

const getRejections = (words: readonly string[]) =>
  `${words.map((word) => `- ${word}`).join("\n")}\n\n${rejections.rest}`;

const decides: Readonly<Record<Dialect, string>> = {
  findings:
    "New defects go into `findings` with a severity from P0 (worst) to P3; an empty list says that you found nothing new. `summary` says what you found. Leave `converged` false: the referee itself sees when enough agents have found nothing. True claims that nothing at all is missing any more, and is refused if the record says otherwise.",
  decision:
    '`decision` is exactly "GO" or "NO_GO"; `feedback` says what is right or must change. GO needs all four quality checks to be true; null means that you did not look. Name what must change in `findings`, P0 (worst) to P3; P0 and P1 forbid GO.',
  status: `\`status\` is exactly "approved", "needs_changes" or "needs_clarification"; \`summary\` says why. \`scores\` go from 0 to 10 and are shown to people. What must change goes into \`findings\` (critical, high, medium, low), what makes it unusable into \`blockers\`; critical, high and blockers forbid approved. needs_clarification needs \`questions\`, each with the answers you would choose from in \`options\` and why it matters in \`context\`.

\`rejection_type\` is null, unless with needs_changes its author cannot fix it:

${getRejections(rejections.others)}`,
  verdict: `\`verdict\` is exactly "approved" or "rejected"; \`feedback\` says what is right or must change. Name what must change in \`findings\`, P0 (worst) to P3; P0 and P1 forbid approved. \`sop_review\` has one entry for each SOP that applies. \`patterns\` are habits of the project worth remembering, usually none.

Rejected needs \`rejection_type\`:

${getRejections([rejections.fixable, ...rejections.others])}`,
  challenge:
    "`challenger_approved` is true when the output is ready to lock, otherwise false; `critique` names assumptions, gaps and risks. Name what must change in `findings`, P0 (worst) to P3; P0 and P1 forbid approval.",
};

const describeConfidence = ({ minConfidence }: ReviewRequest) =>
  `\`confidence\`, from 0 to 1, is how sure you are of this review as a whole, not how good the work is. Below ${minConfidence} a human is asked whether it counts.`;

/** What a critic without a terminal is told about its answer, in Markdown. */
export function describeReviewAnswer(dialect: Dialect, asked: ReviewRequest): string {
  const { tree, open } = asked;
  return [
    "Change no file. Your final answer is one JSON object of the given schema and nothing else: no code fence, no text around it. Properties without a value are null or empty; no other properties are allowed.",
    decides[dialect],
    describeConfidence(asked),
    `\`tree\` is the id of the tree you judged: \`${tree}\`.`,
    describeEvidence(asked),
    open.length > 0
      ? `\`prior_findings\` needs one entry for each open finding: ${open.join(", ")}. Each is fixed, open or withdrawn; withdrawn needs a reason, and fixed one where nothing changed at its place.`
      : "",
    describeSignal(dialect),
    "Two examples of the form. Their sentences are about no real file: an answer that repeats one is refused.",
    ...renderExamples(dialect, asked),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function describeEvidence({ subjects }: ReviewRequest): string {
  const place =
    "`file` and `line` must exist in the tree (`end_line` ends a range), `quote` must be text that is there, word for word, and `why` says in your own words what it shows.";
  if (subjects.length === 0) return `What you looked at goes into \`checked\`: ${place}`;
  return [
    `An approval needs an entry in \`checked\` for each of these (one entry may name several): ${place}`,
    subjects.map((subject) => `- ${describeEntry(subject)}`).join("\n"),
  ].join("\n\n");
}

/** What each is about was told before. */
function describeEntry({ kind, id, text }: Subject): string {
  if (kind === "file") return `\`"file": ${JSON.stringify(id)}\` (${text})`;
  const named = `\`"for": [${JSON.stringify(id)}]\``;
  return kind === "sop"
    ? `${named}, or an entry in \`sop_review\` with that \`sop_id\` and such places as its \`evidence\``
    : named;
}

function describeSignal(dialect: Dialect): string {
  const done = dialect === "status" ? "" : 'When you are done: `"status": "completed"`. ';
  return `${done}When only a human can decide something: \`"status": "needs_input"\` with \`questions\`; you continue with the answers. When you cannot do it: \`"status": "error"\` with a \`message\`. When you are not ready: \`"status": "in_progress"\`, and you are started again in this session.`;
}

/** Both shapes of a written review, for critics that hand it in as a file. */
export function renderReviewExamples(dialect: Dialect, asked: ReviewRequest): string {
  const { approving, rejecting } = buildExampleReviews(dialect, buildFilling(asked));
  const fenced = (example: object) => `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;
  return [
    decides[dialect],
    describeConfidence(asked),
    `Approving:\n\n${fenced(approving)}`,
    `Rejecting:\n\n${fenced(rejecting)}`,
    "Their sentences are about no real file: a review that repeats one is refused.",
  ].join("\n\n");
}

/** The real names: an SOP is answered in `sop_review`, the first of the others in `checked`. */
function buildFilling({ tree, open, subjects }: ReviewRequest): ExampleFilling {
  const sop = subjects.find(({ kind }) => kind === "sop")?.id;
  return { tree, open, for: chooseExampleSubject(subjects), ...(sop === undefined ? {} : { sop }) };
}

/** What the first example is evidence for: one of the real subjects, or the file itself. */
function chooseExampleSubject(subjects: readonly Subject[]): string[] | null {
  const first = subjects.find(({ kind }) => kind === "criterion" || kind === "duty");
  if (first) return [first.id];
  return subjects.length > 0 ? null : ["C1"];
}

/** Both examples with every property of the form, the real tree and the real names. */
function renderExamples(dialect: Dialect, asked: ReviewRequest): string[] {
  const { approving, rejecting } = buildExampleReviews(dialect, buildFilling(asked));
  const whole = (example: object) =>
    `\`\`\`json\n${JSON.stringify({ status: "completed", ...example, questions: [], message: null })}\n\`\`\``;
  return [`Approving:\n\n${whole(approving)}`, `Rejecting:\n\n${whole(rejecting)}`];
}
