// The dialect `findings`: defects from P0 to P3. There is no word of approval in it; what is found decides.
import * as v from "valibot";
import { describeField, getDescription } from "../../../model/value/field.ts";
import { answers, newFindings } from "../../../schema/claim.ts";
import { isGrave } from "../derived.ts";
import { type DialectForm, defineWordsField, shared } from "./fields.ts";

const Findings = v.strictObject({
  summary: defineWordsField("what you found, and why"),
  ...shared,
  findings: describeField(v.optional(newFindings), getDescription(shared.findings), { needed: true }),
  /** The older name of `prior_findings`. */
  answers: v.optional(answers),
  converged: describeField(
    v.optional(v.boolean(), false),
    "true: no finding is open and nothing is missing any more",
  ),
});

export const findings: DialectForm<v.InferOutput<typeof Findings>> = {
  schema: Findings,
  contradictions: (said) => [
    // Silence is no finding of nothing; who says converged has said it.
    !said.converged &&
      said.findings === undefined &&
      "findings is missing: an empty list says that nothing was found",
    said.converged &&
      (said.findings?.length ?? 0) > 0 &&
      "it reports new findings and says converged: it cannot be both",
    said.answers !== undefined &&
      said.prior_findings !== undefined &&
      "it has both prior_findings and answers, which are the same list: keep prior_findings",
  ],
  meant(said) {
    const answers = said.answers ?? said.prior_findings ?? [];
    const listed = said.findings ?? [];
    const isOpen = listed.some(isGrave) || answers.some(({ status }) => status === "open");
    return {
      // Who says converged approves, and is judged as one who does.
      decision: isOpen && !said.converged ? "revise" : "approve",
      summary: said.summary,
      listed,
      answers,
      converged: said.converged,
    };
  },
};
