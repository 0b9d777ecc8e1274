// One review of a task as a decision of its own: who judged whose work, in which round, and the result.
import { describeReview, type GoOrNot, getReviewDecision, listTaskReviews } from "./log.ts";
import type { CountedReview, Trail } from "./trail.ts";

export interface ReviewDecision {
  readonly task_id: string;
  readonly reviewer_agent: string;
  readonly coder_agent: string;
  readonly iteration: number;
  readonly decision: GoOrNot;
  readonly feedback: string;
  /** As the reviewer answered them; nothing is made up for those it left out. */
  readonly quality_checks: Readonly<Record<string, boolean>>;
  readonly timestamp: string;
}

/** Where it stands among the artifacts: the n-th review of the task. */
export const getReviewDecisionName = (task: string, n: number): string =>
  `review-decisions/${task}-${n}.json`;

export function listReviewDecisions(task: string, trail: Trail): ReviewDecision[] {
  return listTaskReviews(task, trail).map((review) => buildDecision(task, review));
}

function buildDecision(task: string, review: CountedReview): ReviewDecision {
  return {
    task_id: task,
    reviewer_agent: review.agent,
    coder_agent: review.coder,
    iteration: review.of?.iteration ?? review.iteration,
    decision: getReviewDecision(review),
    feedback: describeReview(review),
    quality_checks: review.opinion?.quality_checks ?? {},
    timestamp: review.at,
  };
}
