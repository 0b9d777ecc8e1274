// Papers to read, and a bubble whose producer hands in one.
import type { PaperContext, PaperValue } from "../../src/core/paper/kind.ts";
import { findPaperKind } from "../../src/core/paper/kinds.ts";
import { type PaperRead, readPaper } from "../../src/core/paper/read.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { configOf, pair, pairProgram, testGate } from "./pair.ts";

export const context = (more: Partial<PaperContext> = {}): PaperContext => ({
  at: "2026-02-21T09:08:07.000Z",
  papers: {},
  payload: {},
  gates: [],
  ...more,
});

export function kindOf(name: string) {
  const kind = findPaperKind(name);
  if (!kind) throw new Error(`no paper ${name}`);
  return kind;
}

export const exampleOf = (name: string): PaperValue => kindOf(name).example;

/** A paper read as one of a kind: the example of that kind, with what is said otherwise. */
export const reading = (name: string, more: object = {}, around: Partial<PaperContext> = {}): PaperRead =>
  readPaper(kindOf(name), { ...exampleOf(name), ...more }, context(around));

export function accepted(name: string, more: object = {}, around: Partial<PaperContext> = {}): PaperValue {
  const read = reading(name, more, around);
  if (!read.ok) throw new Error(read.problems.join("; "));
  return read.value;
}

export function problemsOf(
  name: string,
  more: object,
  around: Partial<PaperContext> = {},
): readonly string[] {
  const read = reading(name, more, around);
  return read.ok ? [] : read.problems;
}

/** Alice writes a paper instead of files; bob reviews it. */
export function authoring(paper = "plan", more: { payload?: Record<string, unknown> } = {}): Scenario {
  const config = configOf();
  const program = pairProgram(config);
  return pair({
    gates: [testGate],
    program: {
      ...program,
      ...more,
      steps: program.steps.map((step) =>
        step.kind === "turn" && step.answer === "handoff" ? { ...step, answer: "paper", paper } : step,
      ),
    },
  }).started();
}

/** Alice has handed in the example of this paper, and bob is about to review it. */
export function paperUnderReview(paper = "plan"): Scenario {
  const scene = authoring(paper).turnStarts();
  return scene
    .does(scene.pass({ paper: exampleOf(paper) }))
    .handsOver("P1", {
      paper: { kind: paper, code: "T0" },
      files: [{ path: `.pairflow/papers/${paper}.json`, status: "added", added: 9, removed: 0 }],
    })
    .gatesPass();
}
