// One review of a task as a decision of its own: who judged whose work, in which round, and what came of it.
import { decisionOf, feedback, type GoOrNot, reviewsOf } from "./review-log.ts";
import type { CountedReview, Trail } from "./review-trail.ts";

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
export const reviewDecisionName = (task: string, n: number): string => `review-decisions/${task}-${n}.json`;

export function reviewDecisions(task: string, trail: Trail): ReviewDecision[] {
  return reviewsOf(task, trail).map((review) => decision(task, review));
}

function decision(task: string, review: CountedReview): ReviewDecision {
  return {
    task_id: task,
    reviewer_agent: review.agent,
    coder_agent: review.coder,
    iteration: review.of?.iteration ?? review.iteration,
    decision: decisionOf(review),
    feedback: feedback(review),
    quality_checks: review.opinion?.quality_checks ?? {},
    timestamp: review.at,
  };
}
