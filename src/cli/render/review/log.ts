// The reviews of a bubble as a table: those that counted are numbered, those that were refused or had to ask first
// stand between them.
import { describeReview, getReviewDecision } from "../../../core/views/review/log.ts";
import { listCountedReviews, type Trail, type TrailReview } from "../../../core/views/review/trail.ts";
import { createInk, cut, type Ink, type Look, toPlainLine } from "../../terminal/style.ts";
import { formatCount, renderTable } from "../table.ts";
import { formatDayAndTime } from "../time.ts";

/** The whole screen, ending with the final decision or the word that there is none yet. */
export function renderReviewLog(bubble: string, trail: Trail, look: Look): string {
  const paint = createInk(look.colour);
  const refused = trail.reviews.filter(({ kind }) => kind === "refused").length;
  const reviews = formatCount(listCountedReviews(trail).length, "review");
  const head = `${paint.bold(bubble)}  ${reviews}${refused > 0 ? `, ${refused} refused` : ""}`;
  const rows = renderTable(
    trail.reviews.map((review) => renderRow(review, paint)),
    2,
  ).map((line) => cut(line, look.width));
  return [head, ...rows, describeFinalDecision(trail, paint)].join("\n");
}

function renderRow(review: TrailReview, paint: Ink): string[] {
  const number = review.kind === "counted" ? String(review.iteration) : "–";
  const [word, lines] = renderReviewWords(review, paint);
  return [
    number.padStart(4),
    paint.dim(formatDayAndTime(review.at)),
    review.agent,
    word,
    lines.map(toPlainLine).join(" · "),
  ];
}

function renderReviewWords(review: TrailReview, paint: Ink): [word: string, lines: readonly string[]] {
  if (review.kind === "refused") return [paint.dim("refused"), review.reasons];
  if (review.kind === "asked") return [paint.dim("asked"), review.questions];
  const decision = getReviewDecision(review);
  return [decision === "GO" ? paint.accent(decision) : decision, describeReview(review).split("\n")];
}

function describeFinalDecision(trail: Trail, paint: Ink): string {
  const { end } = trail;
  if (!end) return paint.dim("No final decision yet: the loop continues");
  const last = listCountedReviews(trail).at(-1);
  const overruled = end.decision === "GO" && last && getReviewDecision(last) === "NO_GO";
  const how = overruled ? "a human accepted what the last review did not" : toPlainLine(end.how);
  return `Final decision: ${paint.bold(end.decision)}  ${how}, ${formatDayAndTime(end.at)}`;
}
