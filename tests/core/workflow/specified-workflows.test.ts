// The specified workflows load as they are written, and mean what they say.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Program, StepOf } from "../../../src/core/model/program.ts";
import { listNeededRoles, loadWorkflow } from "../../../src/core/workflow/load.ts";
import { configOf } from "../pair.ts";
import { loaded, routesOf } from "../workflow-written.ts";

const fixtures = resolve(import.meta.dirname, "../../fixtures/workflows");
const text = (name: string) => readFileSync(join(fixtures, name), "utf8");
const fixture = (name: string): unknown => parse(text(name));

it("plan-and-execute is a workflow of the package, byte by byte", () => {
  const builtIn = readFileSync(resolve(fixtures, "../../../workflows/plan-and-execute.json"), "utf8");
  expect(builtIn).toBe(text("plan-and-execute.json"));
});

const turn = (program: Program, name: string) =>
  program.steps.find((step): step is StepOf<"turn"> => step.kind === "turn" && step.name === name);

describe("paired workflow", () => {
  const { program, warnings } = loaded(fixture("paired-workflow.yaml"), "paired");

  it("is one task with a driver and a challenger", () => {
    expect(program).toMatchObject({ id: "paired", version: "1", start: "design-l1" });
    expect(program.tasks).toEqual([
      {
        key: "design-l1",
        criteria: [],
        first: "design-l1",
        depends_on: [],
        roles: { driver: "architect", challenger: "pe" },
        loop: {
          producer: "driver",
          critic: "challenger",
          max_rounds: 5,
          clean_passes: 1,
          role_switch: "never",
          exhausted: "design-l1/exhausted",
          exit: ["pair.challenger_approved == true", "confidence_score >= 0.85"],
          dialect: "challenge",
        },
        overlay: "paired_workflow",
        role_switch: "session",
        hil: { enabled: true, requires_human: false },
      },
    ]);
    expect(program.loop).toEqual(program.tasks?.[0]?.loop);
  });

  it("goes from the driver by way of the gates to the judge, the challenger and the policy", () => {
    expect(routesOf(program)).toEqual({
      "design-l1": "success→design-l1/gates refused→design-l1",
      "design-l1/gates": "success→design-l1/judge fail→design-l1+",
      "design-l1/judge":
        "gates→design-l1/gates review→design-l1/review unsure→design-l1/unsure dispute→design-l1/dispute " +
        "revise→design-l1+ switch→design-l1+swap stuck→design-l1/stuck subtask→design-l1+ exit→design-l1/policy",
      "design-l1/review": "success→design-l1/judge refused→design-l1/review",
      "design-l1/unsure": "trust→design-l1/judge again→design-l1/review reject→$cancel",
      "design-l1/dispute": "waive→design-l1/judge uphold→design-l1+",
      "design-l1/stuck": "accept→design-l1/lock continue→design-l1+ reject→$cancel",
      "design-l1/policy":
        "passed→design-l1/lock review→design-l1/review failed→design-l1+ signoff→design-l1/sign-off",
      "design-l1/sign-off": "approve→design-l1/lock rework→design-l1+ reject→$cancel",
      "design-l1/exhausted": "accept→design-l1/lock continue→$resume reject→$cancel",
      "design-l1/lock": "locked→design-l1/done",
      "design-l1/done": "next→$next",
      approval: "",
    });
    expect(turn(program, "design-l1")).toMatchObject({
      role: "driver",
      session: "resumed",
      answer: "handoff",
    });
    expect(turn(program, "design-l1/review")).toMatchObject({ role: "challenger", session: "fresh" });
  });

  it("warns of names nobody has bound, and of a score that is never known", () => {
    expect(warnings.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([
      "tasks.design-l1.agent: architect is not configured: bind it with [agents] architect = …",
      "tasks.design-l1.overlays.paired_workflow.challenger_agent: pe is not configured: bind it with [agents] pe = …",
      "tasks.design-l1.overlays.paired_workflow.exit_conditions.1: confidence_score is never known here: confidence_loop is not enabled",
    ]);
  });

  it("has the agents that its names are bound to", () => {
    const agents = { implementer: "alice", reviewer: "bob", architect: "alice", pe: "bob" };
    const again = loadWorkflow(fixture("paired-workflow.yaml"), configOf({ agents }));
    expect(again).toMatchObject({
      ok: true,
      program: { tasks: [{ roles: { driver: "alice", challenger: "bob" } }] },
    });
    const unbound = again.ok && again.warnings.filter(({ message }) => message.includes("is not configured"));
    expect(unbound).toEqual([]);
  });
});

describe("agentic review", () => {
  const { program } = loaded(fixture("agentic-review.yaml"), "agentic");

  it("is one task with a coder and a reviewer whose roles are fixed", () => {
    expect(program.tasks).toMatchObject([
      {
        key: "implement",
        overlay: "agentic_review",
        roles: { coder: "dev", reviewer: "bob" },
        loop: {
          producer: "coder",
          critic: "reviewer",
          max_rounds: 3,
          role_switch: "never",
          exit: ["review.decision == GO"],
          dialect: "decision",
        },
      },
    ]);
    expect(program.tasks?.[0]?.role_switch).toBeUndefined();
    expect(turn(program, "implement/review")?.role).toBe("reviewer");
  });
});

describe("plan-and-execute.json", () => {
  const { program, warnings } = loaded(fixture("plan-and-execute.json"));

  it("binds every subject to what it means here", () => {
    expect(Object.fromEntries(program.steps.map(({ name, kind }) => [name, kind]))).toEqual({
      developer: "turn",
      structural_gates: "gates",
      assemble_context: "context",
      reviewer: "turn",
      validate_review: "validate",
      review_invalid: "question",
      verdict_check: "emit",
      categorize_rejection: "emit",
      check_misscoped: "start",
      check_architectural: "start",
      check_too_big: "start",
      unknown_rejection: "question",
      retry_developer_gates: "turn",
      retry_developer_feedback: "turn",
      max_retries_exceeded: "question",
      developer_failed: "question",
      reviewer_failed: "question",
      complete: "emit",
      "check_misscoped/missing": "question",
      "check_architectural/missing": "question",
      "check_too_big/missing": "question",
      exhausted: "question",
      end: "end",
      approval: "approval",
    });
  });

  it("leads where it says; each way back to the developer spends a round", () => {
    expect(routesOf(program)).toMatchObject({
      developer: "success→structural_gates refused→developer fail→developer_failed",
      structural_gates: "success→assemble_context fail→retry_developer_gates+",
      assemble_context: "success→reviewer fail→reviewer",
      reviewer: "success→validate_review refused→reviewer fail→reviewer_failed",
      validate_review: "success→verdict_check fail→review_invalid",
      review_invalid: "accept→complete continue→$resume reject→complete",
      verdict_check: "done→complete unmet→categorize_rejection",
      categorize_rejection: "done→retry_developer_feedback+ unmet→check_misscoped",
      check_misscoped: "success→complete fail→check_misscoped/missing unmet→check_architectural",
      check_too_big: "success→complete fail→check_too_big/missing unmet→unknown_rejection",
      retry_developer_gates:
        "success→structural_gates refused→retry_developer_gates unmet→max_retries_exceeded",
      complete: "done→end",
      "check_misscoped/missing": "accept→complete continue→$resume reject→complete",
      exhausted: "accept→end continue→$resume reject→$cancel",
      end: "approved→approval accepted→approval completed→approval rejected→$cancel routed→$cancel",
    });
  });

  it("keeps limits, conditions, prompts and payloads", () => {
    const step = (name: string) => program.steps.find((candidate) => candidate.name === name);
    expect(program).toMatchObject({
      id: "plan-and-execute",
      timeout_s: 1800,
      loop: {
        producer: "developer",
        critic: "reviewer",
        max_rounds: 3,
        dialect: "verdict",
        exhausted: "exhausted",
      },
    });
    expect(step("developer")).toMatchObject({ timeout_s: 600, session: "resumed", answer: "handoff" });
    expect(step("assemble_context")).toMatchObject({ timeout_s: 30 });
    expect(step("reviewer")).toMatchObject({ session: "fresh", answer: "findings", validated: true });
    expect(step("validate_review")).toMatchObject({ min_confidence: 0.7 });
    expect(step("retry_developer_gates")).toMatchObject({ when: "execution.iteration < 3" });
    expect(step("verdict_check")).toMatchObject({ event: "workflow.task.complete", result: "approved" });
    expect(step("check_too_big")).toMatchObject({
      workflow: "task-decomposition",
      payload: { plan_slug: "${trigger.payload.slug}" },
    });
    expect(step("review_invalid")).toMatchObject({
      ask: "signal",
      text: "Review validation failed: ${steps.validate_review.output.reason}\ndetails: ${steps.validate_review.output.details}",
    });
    expect(turn(program, "developer")?.prompt).toContain("Task: ${trigger.payload.task_description}");
  });

  it("needs two roles, which the pair's agents play", () => {
    expect(warnings).toEqual([]);
    expect(listNeededRoles(program)).toEqual(["developer", "reviewer"]);
  });

  it("has what the run is started with", () => {
    const again = loadWorkflow(fixture("plan-and-execute.json"), configOf(), { slug: "cart" });
    expect(again).toMatchObject({ ok: true, program: { payload: { slug: "cart" } } });
  });
});
