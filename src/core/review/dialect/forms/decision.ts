// The dialect `decision`: GO or NO_GO with feedback and quality checks.
import * as v from "valibot";
import { clip } from "../../../model/sizes.ts";
import { findingOf, isNamedIn } from "../derived.ts";
import { exactly, type Form, named, shared, summary, text } from "./fields.ts";

export const decisionWords = ["GO", "NO_GO"] as const;

const Decided = v.strictObject({
  ...shared,
  decision: exactly(decisionWords),
  feedback: summary,
  quality_checks: v.optional(named(v.boolean("a check is true or false")), {}),
  // The referee knows these better.
  task_id: v.optional(text(200)),
  reviewer_agent: v.optional(text(200)),
  coder_agent: v.optional(text(200)),
  iteration: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});
type Decided = v.InferOutput<typeof Decided>;

const failed = ({ quality_checks }: Decided): string[] =>
  Object.entries(quality_checks).flatMap(([name, passed]) => (passed ? [] : [name]));

export const decision: Form<Decided> = {
  schema: Decided,
  contradictions: (said) => [
    said.decision === "GO" &&
      failed(said).length > 0 &&
      `it says GO although the quality check ${failed(said).join(", ")} failed`,
  ],
  meant: (said) => ({
    decision: said.decision === "GO" ? "approve" : "revise",
    summary: said.feedback,
    listed: said.findings,
    implied: failed(said)
      .filter((name) => !isNamedIn(said.findings, name))
      .map((name) =>
        findingOf("P1", `quality check failed: ${name}`, {
          area: "quality",
          advice: clip(said.feedback, 2000),
        }),
      ),
    ...(Object.keys(said.quality_checks).length > 0 ? { quality_checks: said.quality_checks } : {}),
  }),
};
