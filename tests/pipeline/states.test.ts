// The ten states of the seed, read from the record of a bubble that runs the shipped workflow.
import { expect, it } from "vitest";
import { buildUsualConfig, loadWorkflowFor } from "../../src/app/workflows/find.ts";
import type { Question } from "../../src/core/model/state/turn.ts";
import type { State } from "../../src/core/model/state.ts";
import { getPipelineState, pipelineStates } from "../../src/core/views/pipeline/trail.ts";

const config = buildUsualConfig();
const { program } = loadWorkflowFor(
  "pipeline",
  { cwd: "/", repo: "/" },
  {
    ...config,
    agents: { ...config.agents, sonnet: "claude", opus: "claude", codex: "codex" },
  },
);
const question = { id: "q1", seq: 1, kind: "agent", from: "x", text: "?", at: "" } satisfies Question;

const at = (step: string | null, lifecycle: State["lifecycle"] = "RUNNING", questions: Question[] = []) =>
  getPipelineState({
    lifecycle,
    questions,
    program,
    position: { step, seq: 1, outcome: "", why: "", refusals: 0 },
  });

it("every step of the shipped workflow has a state of the specified pipeline", () => {
  const states = program.steps.map(({ name }) => at(name));
  for (const state of states) expect(pipelineStates).toContain(state);
  expect(at("plan_check")).toBe("plan_reviewing");
  expect(at("simple_reviewing")).toBe("implementing");
  expect(at("code_reviewing")).toBe("implementing_loop");
  expect(at(null, "CREATED")).toBe("requirements_gathering");
});

it("a question is part of the requirements, and a pause everywhere else", () => {
  expect(at("story_approval", "WAITING_HUMAN", [question])).toBe("requirements_gathering");
  expect(at("plan_drafting", "WAITING_HUMAN", [question])).toBe("needs_user_input");
  expect(at("commands", "WAITING_HUMAN", [question])).toBe("needs_user_input");
});

it.each([
  ["FAILED", "error"],
  ["CANCELLED", "idle"],
  ["READY_FOR_APPROVAL", "complete"],
  ["APPROVED_FOR_COMMIT", "complete"],
  ["COMMITTED", "complete"],
  ["DONE", "complete"],
] as const)("%s is %s", (lifecycle, state) => expect(at("tests", lifecycle)).toBe(state));
