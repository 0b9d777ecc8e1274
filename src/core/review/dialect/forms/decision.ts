// The dialect `decision`: GO or NO_GO with feedback and quality checks.
import * as v from "valibot";
import { checkNames } from "../../../model/review/verdict.ts";
import { defineTextField, describeField } from "../../../model/value/field.ts";
import { clip } from "../../../model/value/sizes.ts";
import { buildFinding, isNamedIn } from "../derived.ts";
import { type DialectForm, defineNamedValues, defineOneOfWords, defineWordsField, shared } from "./fields.ts";

const check = describeField(v.boolean("a check is true or false"), "null: not looked at");

const Decided = v.strictObject({
  decision: describeField(defineOneOfWords(["GO", "NO_GO"]), "GO: nothing stands against it"),
  feedback: defineWordsField("what is right or must change, and why"),
  quality_checks: v.optional(defineNamedValues(check, checkNames, "GO needs all four to be true"), {}),
  ...shared,
  // The referee knows these better.
  task_id: v.optional(defineTextField(200)),
  reviewer_agent: v.optional(defineTextField(200)),
  coder_agent: v.optional(defineTextField(200)),
  iteration: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});
type Decided = v.InferOutput<typeof Decided>;

const listFailedChecks = ({ quality_checks }: Decided): string[] =>
  Object.entries(quality_checks).flatMap(([name, passed]) => (passed ? [] : [name]));

export const decision: DialectForm<Decided> = {
  schema: Decided,
  contradictions: (said) => [
    said.decision === "GO" &&
      listFailedChecks(said).length > 0 &&
      `it says GO although the quality check ${listFailedChecks(said).join(", ")} failed`,
  ],
  meant: (said) => ({
    decision: said.decision === "GO" ? "approve" : "revise",
    summary: said.feedback,
    listed: said.findings,
    implied: listFailedChecks(said)
      .filter((name) => !isNamedIn(said.findings, name))
      .map((name) =>
        buildFinding("P1", `quality check failed: ${name}`, {
          area: "quality",
          advice: clip(said.feedback, 2000),
        }),
      ),
    ...(Object.keys(said.quality_checks).length > 0 ? { quality_checks: said.quality_checks } : {}),
  }),
};
