// The review log: one record an iteration, and the final decision once there is one. The append-only truth is the
// transcript; this is a copy of it for an audit of reviews alone.
import type { Finding } from "../../model/review/finding.ts";
import { type CountedReview, listCountedReviews, type Trail } from "./trail.ts";

export type GoOrNot = "GO" | "NO_GO";

export interface ReviewLog {
  readonly task_id: string;
  readonly overlay: "agentic_review";
  readonly iterations: readonly {
    readonly iteration: number;
    readonly decision: GoOrNot;
    readonly feedback: string;
    readonly timestamp: string;
    /** Only in the log of a bubble with several tasks: the one that was judged. */
    readonly task?: string;
  }[];
  /** Present once the loop has ended. */
  readonly final_decision?: GoOrNot;
  readonly completed_at?: string;
}

/** Where it stands among the artifacts. */
export const getReviewLogName = (bubble: string): string => `review-logs/${bubble}.json`;

/** The log of a bubble's reviews; those that were refused are no iterations. Where it has one task, that is the task. */
export function buildReviewLog(bubble: string, trail: Trail): ReviewLog {
  const keys = trail.state?.program.tasks?.map(({ key }) => key) ?? [];
  return keys.length === 1 && keys[0] !== undefined
    ? buildTaskReviewLog(keys[0], trail)
    : buildLog(bubble, trail, ({ of }) => (of ? { task: of.task } : {}));
}

function buildLog(
  id: string,
  trail: Trail,
  more: (review: CountedReview) => { readonly task?: string } = () => ({}),
): ReviewLog {
  return {
    task_id: id,
    overlay: "agentic_review",
    iterations: listCountedReviews(trail).map((review) => ({
      iteration: review.iteration,
      decision: getReviewDecision(review),
      feedback: describeReview(review),
      timestamp: review.at,
      ...more(review),
    })),
    ...(trail.end ? { final_decision: trail.end.decision, completed_at: trail.end.at } : {}),
  };
}

/** The log of one task's reviews, numbered by the rounds of that task. */
export function buildTaskReviewLog(task: string, trail: Trail): ReviewLog {
  return buildLog(task, selectTaskTrail(task, trail));
}

/** The trail as far as one task is concerned: what counted for it, numbered by its rounds, and how it ended. */
export function selectTaskTrail(task: string, trail: Trail): Trail {
  const { end, ...rest } = trail;
  const own = trail.taskEnds?.[task] ?? end;
  const reviews = listTaskReviews(task, trail).map((review) => ({
    ...review,
    iteration: review.of?.iteration ?? review.iteration,
  }));
  return { ...rest, reviews, ...(own ? { end: own } : {}) };
}

export const listTaskReviews = (task: string, trail: Trail): CountedReview[] =>
  listCountedReviews(trail).filter(({ of }) => of?.task === task);

/** GO is what the referee calls clean: nothing that blocks was left open, and it was an agent's own review. */
export function getReviewDecision({ clean }: CountedReview): GoOrNot {
  return clean ? "GO" : "NO_GO";
}

/** The review in words: its summary, then one line for each finding it raised, kept or closed, and what to know about it. */
export function describeReview(review: CountedReview): string {
  const findings = review.open.map(
    (finding) =>
      `${review.newIds.includes(finding.id) ? "New" : "Still open"}: ${describeFindingInWords(finding)}`,
  );
  const closed = review.answers
    .filter(({ status }) => status !== "open")
    .map(({ id, status, reason }) => `${capitalize(status)}: ${id}${reason ? ` (${reason})` : ""}`);
  return [review.summary, ...findings, ...closed, ...listRemarks(review)].join("\n");
}

/** `F1 P1 Total ignores discount (src/cart.ts:41): use the net price`. */
function describeFindingInWords({ id, severity, title, file, line, advice }: Finding): string {
  const place = file ? ` (${file}${line ? `:${line}` : ""})` : "";
  return `${id} ${severity} ${title}${place}${advice ? `: ${advice}` : ""}`;
}

function listRemarks({ agent, byOperator, unsure }: CountedReview): string[] {
  return [
    ...(byOperator ? [`Said by an operator for ${agent}: it counts as no clean pass`] : []),
    ...(unsure === undefined
      ? []
      : [`Confidence ${unsure}, less than is asked for: a human decides whether it counts`]),
  ];
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
