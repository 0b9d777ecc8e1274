// Every review the record tells of, in order, with what the referee made of it. It folds with the referee's own rules,
// so that no view of a review can show another decision than the loop made.
import { evolve } from "../../bubble/evolve.ts";
import type { Envelope, EnvelopeOf } from "../../model/record/envelope.ts";
import type { Answer, CheckedEvidence, Finding } from "../../model/review/finding.ts";
import type { Opinion } from "../../model/review/verdict.ts";
import type { Review } from "../../model/state/evidence.ts";
import type { Turn } from "../../model/state/turn.ts";
import type { State } from "../../model/state.ts";
import { listOpenFindings } from "../../state/severity.ts";
import { getCurrentTask, getIteration, isCritic } from "../../state/workflow-position.ts";

/** A review that counted: its critic left the tree alone, and nothing about it was refused. */
export interface CountedReview extends Review {
  readonly kind: "counted";
  /** Which of the reviews that counted it is; the first is 1. */
  readonly iteration: number;
  /** The task of the workflow it judged, and the round within it; absent in workflows without tasks. */
  readonly of?: { readonly task: string; readonly iteration: number };
  /** Who made the tree. */
  readonly coder: string;
  readonly at: string;
  readonly summary: string;
  /** What it left open, and which of that was new. */
  readonly open: readonly Finding[];
  readonly newIds: readonly string[];
  readonly answers: readonly Answer[];
  readonly opinion?: Opinion;
  /** What its critic looked at. */
  readonly checked?: readonly CheckedEvidence[];
}

interface Uncounted {
  readonly agent: string;
  readonly round: number;
  readonly seq: number;
  readonly at: string;
  readonly turn: string;
  readonly attempt: number;
  /** The command that said it. */
  readonly batch: string;
}

/** A review that did not count, and why. */
export interface RefusedReview extends Uncounted {
  readonly kind: "refused";
  readonly reasons: readonly string[];
}

/** A critic that could not judge before a human has answered. */
export interface AskedReview extends Uncounted {
  readonly kind: "asked";
  readonly questions: readonly string[];
}

export type TrailReview = CountedReview | RefusedReview | AskedReview;

export interface TrailEnd {
  readonly decision: "GO" | "NO_GO";
  readonly at: string;
  readonly how: string;
}

export interface Trail {
  readonly state?: State;
  readonly reviews: readonly TrailReview[];
  /** How and when the loop ended; absent while it continues. */
  readonly end?: TrailEnd;
  /** The same of each task of the workflow that is over. */
  readonly taskEnds?: Readonly<Record<string, TrailEnd>>;
  /** Views that could not be written, in the words of the warnings about them. */
  readonly unwritable: readonly string[];
}

export const noTrail: Trail = { reviews: [], unwritable: [] };

/** The code of the warning that a view could not be written. */
const unwritableCode = "view.unwritable";

/** The reviews told by these lines, after those of `from`. */
export function buildReviewTrail(envelopes: Iterable<Envelope>, from: Trail = noTrail): Trail {
  let trail = from;
  for (const envelope of envelopes) trail = follow(trail, envelope);
  return trail;
}

export function listCountedReviews(trail: Trail): CountedReview[] {
  return trail.reviews.filter((review) => review.kind === "counted");
}

function follow(trail: Trail, envelope: Envelope): Trail {
  const before = trail.state;
  const state = evolve(before, envelope);
  const { end: _end, ...open } = trail;
  const end = findEndAfter(trail.end, envelope);
  return {
    ...open,
    state,
    reviews: listReviewsAfter(trail, envelope, state),
    unwritable:
      envelope.type === "WARNING" && envelope.payload.code === unwritableCode
        ? [...trail.unwritable, envelope.payload.message]
        : trail.unwritable,
    ...(end ? { end } : {}),
    ...buildTaskEndsAfter(trail, envelope),
  };
}

/** GO: the task is completed, or a human took what there was. NO_GO: its rounds were used up. Redone, it is open again. */
function buildTaskEndsAfter({ taskEnds }: Trail, { type, payload, ts }: Envelope): Pick<Trail, "taskEnds"> {
  if (type === "STEP_REDONE" && taskEnds) {
    const left = Object.entries(taskEnds).filter(([task]) => !payload.tasks.includes(task));
    return { taskEnds: Object.fromEntries(left) };
  }
  if (type !== "TASK_ENDED" || payload.status === "skipped") return taskEnds ? { taskEnds } : {};
  const decision = payload.status === "exceeded" ? "NO_GO" : "GO";
  return { taskEnds: { ...taskEnds, [payload.task]: { decision, at: ts, how: payload.why } } };
}

/**
 * GO: approval was asked for, after convergence or because a human accepted the work as it is. NO_GO: it was
 * cancelled or failed before that. A rework request opens the loop again; what happens after a GO does not undo it.
 */
function findEndAfter(end: Trail["end"], { type, payload, ts }: Envelope): Trail["end"] {
  switch (type) {
    case "APPROVAL_REQUEST":
      return { decision: "GO", at: ts, how: "approval was asked for" };
    case "APPROVAL_DECISION":
      return payload.decision === "approve" ? end : undefined;
    case "CANCELLED":
      return end ?? { decision: "NO_GO", at: ts, how: `cancelled: ${payload.reason}` };
    case "FAILED":
      return end ?? { decision: "NO_GO", at: ts, how: `failed: ${payload.message}` };
    default:
      return end;
  }
}

function listReviewsAfter(trail: Trail, envelope: Envelope, state: State): Trail["reviews"] {
  const { state: before, reviews } = trail;
  const turn = before?.turn;
  if (!before || !turn || !isCritic(before, turn.role)) return reviews;
  // A warning beside an accepted claim is a remark about it; one that is handed on as invalid was refused.
  const isInvalid = envelope.type === "PASS" && envelope.payload.invalid !== undefined;
  if ((envelope.type === "PASS" && !isInvalid) || envelope.type === "CONVERGENCE")
    return reviews.filter((review) => review.kind !== "refused" || review.batch !== envelope.batch.id);
  if (envelope.type === "HANDOFF" && envelope.payload.turn === turn.id) {
    const counted = buildCountedReview(before, envelope, state);
    if (counted) return [...reviews, { ...counted, iteration: listCountedReviews(trail).length + 1 }];
  }
  if (envelope.type === "HUMAN_QUESTION") return addQuestion(reviews, turn, envelope);
  const reasons = listRefusalBy(trail, turn, envelope);
  return reasons.length > 0
    ? [...reviews, { kind: "refused", ...buildUncounted(turn, envelope), reasons }]
    : reviews;
}

/** All questions of one go are one review that waits. */
function addQuestion(
  reviews: Trail["reviews"],
  turn: Turn,
  envelope: EnvelopeOf<"HUMAN_QUESTION">,
): Trail["reviews"] {
  const { payload, batch } = envelope;
  if (payload.kind !== "agent" || payload.turn !== turn.id) return reviews;
  const last = reviews.at(-1);
  return last?.kind === "asked" && last.batch === batch.id
    ? [...reviews.slice(0, -1), { ...last, questions: [...last.questions, payload.question] }]
    : [...reviews, { kind: "asked", ...buildUncounted(turn, envelope), questions: [payload.question] }];
}

function buildCountedReview(
  before: State,
  envelope: EnvelopeOf<"HANDOFF">,
  state: State,
): Omit<CountedReview, "iteration"> | undefined {
  const review = state.reviews.at(-1);
  const claim = before.turn?.claim?.pass ?? before.turn?.claim?.convergence;
  if (review?.seq !== envelope.seq || !claim) return undefined;
  const known = new Set(before.findings.map(({ id }) => id));
  const open = listOpenFindings(state);
  const task = getCurrentTask(before)?.key;
  return {
    ...review,
    kind: "counted",
    ...(task === undefined ? {} : { of: { task, iteration: getIteration(before) } }),
    coder: before.tree?.by ?? "",
    at: envelope.ts,
    summary: claim.summary,
    open,
    newIds: open.map(({ id }) => id).filter((id) => !known.has(id)),
    answers: claim.answers ?? [],
    ...(claim.opinion ? { opinion: claim.opinion } : {}),
    ...(claim.checked?.length ? { checked: claim.checked } : {}),
  };
}

/** Why a review does not count because of this line; undefined when it counts. */
function listRefusalBy(trail: Trail, turn: Turn, { type, payload }: Envelope): readonly string[] {
  switch (type) {
    case "HANDOFF":
      return payload.turn === turn.id ? payload.problems : [];
    case "WARNING":
      return payload.turn === turn.id && turn.status === "running" && isAboutReview(payload.code)
        ? [`${payload.code}: ${payload.message}`, ...(payload.details ?? [])]
        : [];
    case "TURN_ENDED":
      // The referee's own refusal stands before it, in a warning of the same attempt.
      return payload.outcome === "garbage" && !isRefusedAlready(trail, turn) ? [payload.detail] : [];
    default:
      return [];
  }
}

/** Not about who may speak, and when. */
const isAboutReview = (code: string): boolean => !/^(turn|bubble|operator|driver|view)\./.test(code);

function isRefusedAlready(trail: Trail, turn: Turn): boolean {
  return trail.reviews.some(
    (review) => review.kind === "refused" && review.turn === turn.id && review.attempt === turn.attempt,
  );
}

function buildUncounted({ id, agent, attempt }: Turn, { round, seq, ts, batch }: Envelope): Uncounted {
  return { agent, round, seq, at: ts, turn: id, attempt, batch: batch.id };
}
