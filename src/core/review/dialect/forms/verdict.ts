// The dialect `verdict`: approved or rejected, with where a rejection leads, each SOP answered, and confidence.
import * as v from "valibot";
import { type Opinion, Route } from "../../../model/verdict.ts";
import { exactly, type Form, shared, sopReview, summary, text } from "./fields.ts";

export const verdictWords = ["approved", "rejected"] as const;
export const routeWords = ["fixable", "misscoped", "architectural", "too_big"] as const;

const Judged = v.strictObject({
  ...shared,
  verdict: exactly(verdictWords),
  rejection_type: v.optional(text(100)),
  sop_review: sopReview,
  confidence: v.nonOptional(shared.confidence, "confidence is a number from 0 to 1"),
  feedback: summary,
});

export const verdict: Form<v.InferOutput<typeof Judged>> = {
  schema: Judged,
  contradictions: (said) => [
    said.verdict === "approved" &&
      said.rejection_type !== undefined &&
      `it says approved and has a rejection_type (${said.rejection_type})`,
    said.verdict === "rejected" &&
      said.rejection_type === undefined &&
      `it says rejected without a rejection_type: ${routeWords.join(", ")}`,
  ],
  meant: (said) => ({
    decision: said.verdict === "approved" ? "approve" : "revise",
    ...(said.rejection_type ? routeOf(said.rejection_type) : {}),
    summary: said.feedback,
    listed: said.findings,
  }),
};

/** A word of the critic's own is a valid rejection; where it leads, a human says. */
export const routeOf = (word: string): Pick<Opinion, "route" | "route_word"> =>
  v.is(Route, word) ? { route: word } : { route: "unknown", route_word: word };
