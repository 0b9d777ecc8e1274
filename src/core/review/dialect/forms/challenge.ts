// The dialect `challenge`: a challenger approves or not, and says what it thinks of the driver's output.
import * as v from "valibot";
import { defineTextField, describeField } from "../../../model/value/field.ts";
import { type DialectForm, defineWordsField, shared } from "./fields.ts";

const Challenged = v.strictObject({
  challenger_approved: describeField(
    v.boolean(({ received }) => `${received} is not known here: it must be exactly true or false`),
    "true: the output is ready to lock",
  ),
  critique: describeField(
    v.optional(defineWordsField("")),
    "assumptions, gaps and risks, or why there are none",
    { needed: true },
  ),
  ...shared,
  /** The name under which a session's history keeps it. */
  challenger_critique: v.optional(defineWordsField("")),
  // The referee knows these better.
  iteration: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  driver_output_summary: v.optional(defineTextField(16_000)),
});

export const challenge: DialectForm<v.InferOutput<typeof Challenged>> = {
  schema: Challenged,
  contradictions: ({ critique, challenger_critique: other }) => [
    !critique && !other && "critique is missing",
    critique !== undefined &&
      other !== undefined &&
      "it has both critique and challenger_critique, which are the same: keep critique",
  ],
  meant: (said) => ({
    decision: said.challenger_approved ? "approve" : "revise",
    summary: said.critique ?? said.challenger_critique ?? "",
    listed: said.findings,
  }),
};
