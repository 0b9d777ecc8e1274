// How a dialect is told to models: the examples are right in form, a copy of them is not taken, and what needs evidence
// is named.
import { describe, expect, it } from "vitest";
import { buildAnswerSchema } from "../../../src/core/answer/schema.ts";
import { dialects } from "../../../src/core/model/review/verdict.ts";
import { buildExampleReviews, exampleTexts } from "../../../src/core/review/dialect/examples.ts";
import { readForm, readReview } from "../../../src/core/review/dialect/read.ts";
import { describeReviewAnswer } from "../../../src/core/review/dialect/say.ts";
import { buildReviewSchema } from "../../../src/core/review/dialect/schema.ts";
import type { Subject } from "../../../src/core/review/subjects.ts";
import { honest } from "../dialect-honest.ts";

const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const subjects: readonly Subject[] = [
  { kind: "sop", id: "source.doc.sops.money", text: "error" },
  { kind: "criterion", id: "C1", text: "The discount comes\nbefore the tax" },
  { kind: "duty", id: "edge-cases", text: "Which edge cases are open?" },
];
const names = (schema: unknown) => Object.keys((schema as { properties: object }).properties).sort();

/** The fenced JSON of a text, read. */
const shown = (text: string) =>
  [...text.matchAll(/```json\n(.*)\n```/g)].map(([, json]) => JSON.parse(json ?? "") as object);

describe.each(dialects)("the examples of the dialect %s", (dialect) => {
  const { approving, rejecting } = buildExampleReviews(dialect);

  it("are right in form: one approves, one rejects", () => {
    expect(readForm(dialect, approving)).toMatchObject({
      ok: true,
      verdict: { dialect, decision: "approve", checked: [{ for: ["C1"] }] },
    });
    expect(readForm(dialect, rejecting)).toMatchObject({ ok: true, verdict: { decision: "revise" } });
  });

  it("have every property of the schema", () => {
    for (const example of [approving, rejecting])
      expect(Object.keys(example).sort()).toEqual(names(buildReviewSchema(dialect)));
  });

  it("are no review when they are handed in, whole or in part", () => {
    for (const example of [approving, rejecting]) {
      const parsed = readReview(dialect, example);
      expect(
        parsed.ok ? [] : parsed.problems.map((problem) => / is copied from the prompt$/.test(problem)),
      ).toContain(true);
    }
    const said = honest.find((sample) => sample.dialect === dialect)?.text ?? "";
    const honestly = JSON.parse(said) as object;
    for (const sentence of exampleTexts) {
      const copied = { file: "src/cart.ts", line: 1, why: `Indeed: ${sentence.toUpperCase()}` };
      const parsed = readReview(dialect, { ...honestly, checked: [copied] });
      expect(parsed.ok ? "read" : parsed.problems.join("; ")).toMatch(/^checked\.0\.why: .* is copied/);
    }
  });
});

describe.each(dialects)("what is told about the dialect %s", (dialect) => {
  const text = describeReviewAnswer(dialect, { tree, open: ["F2", "F7"], subjects, minConfidence: 0.7 });

  it("asks for one JSON object and nothing else, about this tree", () => {
    expect(text).toMatch(/one JSON object of the given schema and nothing else/);
    expect(text).toContain(`\`${tree}\``);
  });

  it("names everything that an approval needs evidence for, and every open finding", () => {
    expect(text).toContain('- `"for": ["source.doc.sops.money"]`, or an entry in `sop_review`');
    expect(text).toContain('- `"for": ["C1"]`\n');
    expect(text).toContain('- `"for": ["edge-cases"]`\n');
    expect(text).toContain("one entry for each open finding: F2, F7.");
  });

  it("shows both examples in the form of the final answer, with the real names filled in", () => {
    const [approving, rejecting, ...others] = shown(text);
    expect(others).toEqual([]);
    for (const example of [approving, rejecting]) {
      expect(Object.keys(example ?? {}).sort()).toEqual(names(buildAnswerSchema(dialect)));
      expect(example).toMatchObject({ tree, prior_findings: [{ id: "F2" }, { id: "F7" }] });
    }
    expect(readForm(dialect, approving)).toMatchObject({
      ok: true,
      verdict: {
        decision: "approve",
        checked: [{ for: ["C1"] }],
        sop_review: [{ sop_id: "source.doc.sops.money", status: "passed" }],
      },
    });
    expect(readForm(dialect, rejecting)).toMatchObject({ ok: true, verdict: { decision: "revise" } });
  });

  it("says what confidence is, and where each rejection leads", () => {
    expect(text).toMatch(/`confidence`, from 0 to 1, .* Below 0\.7 a human is asked/);
    const types = ["misscoped", "architectural", "too_big"].filter((type) =>
      text.includes(`- \`${type}\`: `),
    );
    expect(types).toHaveLength(["verdict", "status"].includes(dialect) ? 3 : 0);
    expect(text.includes("- `fixable`: ")).toBe(dialect === "verdict");
  });

  it("says how to ask, to fail and to continue", () => {
    for (const signal of ["needs_input", "error", "in_progress"])
      expect(text).toContain(`"status": "${signal}"`);
  });

  it("asks for changed files by their path, and for nothing where nothing is asked", () => {
    const files: Subject[] = [{ kind: "file", id: "src/cart.ts", text: "M" }];
    const told = describeReviewAnswer(dialect, { tree, open: [], subjects: files, minConfidence: 0.7 });
    expect(told).toContain('- `"file": "src/cart.ts"` (M)');
    expect(shown(told)[0]).toMatchObject({ checked: [{ for: null }], prior_findings: [] });
    const bare = describeReviewAnswer(dialect, { tree, open: [], subjects: [], minConfidence: 0.7 });
    expect(bare).not.toMatch(/An approval needs an entry|one entry for each open finding/);
    expect(bare).toMatch(/What you looked at goes into `checked`/);
  });
});
