// Every workflow that docs/workflows.md shows is one that loads; every kind, question, check and overlay is told there.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { Step } from "../../../src/core/model/program.ts";
import { checks, questionOutcomes } from "../../../src/core/workflow/outcomes.ts";
import { Overlays } from "../../../src/core/workflow/source/tasks/schema.ts";
import { problemsIn } from "../workflow-written.ts";

const text = readFileSync(resolve(import.meta.dirname, "../../../docs/workflows.md"), "utf8");
const blocks = [...text.matchAll(/^```(?:yaml|json)\n(.*?)^```$/gms)].map(([, inside = ""]) => inside);
const documents = blocks.map((block): unknown => parse(block)).filter(isWorkflow);

function isWorkflow(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("tasks" in value || "steps" in value);
}

it("has an example of each form", () => {
  expect(documents).toHaveLength(4);
});

it.each(documents.map((document, i) => [i + 1, document]))("example %i loads", (_number, document) => {
  expect(problemsIn(document)).toEqual([]);
});

it("tells every word that a workflow may use", () => {
  const words = [
    ...Step.options.map((option) => option.entries.kind.literal),
    ...Object.keys(checks),
    ...Object.keys(questionOutcomes),
    ...Object.keys(Overlays.entries),
    ...Object.values(Overlays.entries).flatMap(({ wrapped }) => Object.keys(wrapped.entries)),
  ];
  expect(words.filter((word) => !new RegExp(`\`${word}[\`:]`).test(text))).toEqual([]);
});
