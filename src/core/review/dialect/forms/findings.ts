// The dialect `findings`: defects from P0 to P3. There is no word of approval in it; what is found decides.
import * as v from "valibot";
import { blocks } from "../derived.ts";
import { type Form, newFindings, olderAnswers, shared, summary } from "./fields.ts";

const Findings = v.strictObject({
  ...shared,
  summary,
  findings: v.optional(newFindings),
  answers: olderAnswers,
  /** The critic holds that nothing is missing any more. */
  converged: v.optional(v.boolean(), false),
});

export const findings: Form<v.InferOutput<typeof Findings>> = {
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
    const isOpen = listed.some(blocks) || answers.some(({ status }) => status === "open");
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
