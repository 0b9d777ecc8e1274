// The dialect `verdict`: approved or rejected, with where a rejection leads, each SOP answered, and confidence.
import * as v from "valibot";
import { type Opinion, Route } from "../../../model/review/verdict.ts";
import { defineTextField, describeField, getDescription } from "../../../model/value/field.ts";
import { numberInRange, review } from "../../../schema/claim.ts";
import { type DialectForm, defineOneOfWords, defineWordsField, shared } from "./fields.ts";

export const routeWords = ["fixable", "misscoped", "architectural", "too_big"] as const;

const Judged = v.strictObject({
  verdict: describeField(defineOneOfWords(["approved", "rejected"]), "approved: nothing stands against it"),
  rejection_type: describeField(
    v.optional(defineTextField(100)),
    "with rejected: fixable in place, the task is misscoped, the design is wrong, or it is too big",
    { enum: routeWords },
  ),
  feedback: defineWordsField("what is right or must change, in detail"),
  ...shared,
  sop_review: describeField(v.unwrap(review.sop_review), getDescription(review.sop_review)),
  confidence: describeField(numberInRange(1, "confidence"), getDescription(shared.confidence)),
});

export const verdict: DialectForm<v.InferOutput<typeof Judged>> = {
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
    ...(said.rejection_type ? parseRoute(said.rejection_type) : {}),
    summary: said.feedback,
    listed: said.findings,
  }),
};

/** A word of the critic's own is a valid rejection; where it leads, a human says. */
export const parseRoute = (word: string): Pick<Opinion, "route" | "route_word"> =>
  v.is(Route, word) ? { route: word } : { route: "unknown", route_word: word };
