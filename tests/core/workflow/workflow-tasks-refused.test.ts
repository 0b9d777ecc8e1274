// Workflows of tasks that are refused, each with the place and what to write instead; and those that only deserve a
// warning.
import { describe, expect, it } from "vitest";
import { problemsIn, warningsIn } from "../workflow-written.ts";

/** One task, written in one line. */
const one = (task: string) => `tasks:\n  build: { ${task} }\n`;
const overlay = (name: string, inside: string, more = "") =>
  one(`agent: implementer, ${more}overlays: { ${name}: { ${inside} } }`);
const paired = (inside: string, more = "") =>
  overlay("paired_workflow", `enabled: true, challenger_agent: reviewer, ${inside}`, more);
const review = (inside: string) =>
  overlay("agentic_review", `enabled: true, reviewer_agent: reviewer, ${inside}`);

describe("a workflow of tasks is refused", () => {
  it.each<[string, string, RegExp]>([
    ["without a task", "tasks: {}", /^tasks: a workflow needs at least one task/],
    [
      "with steps beside its tasks",
      "tasks: {}\nsteps: []",
      /^steps: a workflow has tasks or steps, not both/,
    ],
    ["when a task has no agent", one("title: x"), /^tasks\.build: task build has no agent/],
    [
      "when a task is called join",
      "tasks:\n  join: { agent: implementer }",
      /^tasks\.join: no task can be called join/,
    ],
    [
      "when a task has no proper name",
      "tasks:\n  a/b: { agent: implementer }",
      /^tasks\.a\/b: must be a short word/,
    ],
    [
      "when an overlay does not say whether it is on",
      overlay("hil", ""),
      /hil\.enabled: .*enabled: true or enabled: false/,
    ],
    [
      "when a task has both loops",
      one(
        "agent: implementer, overlays: { paired_workflow: { enabled: true, challenger_agent: reviewer }, agentic_review: { enabled: true, reviewer_agent: reviewer } }",
      ),
      /agentic_review\.enabled: paired_workflow and agentic_review are both enabled on one task/,
    ],
    [
      "when a pair has no challenger",
      overlay("paired_workflow", "enabled: true"),
      /paired_workflow: .* has no challenger_agent \(challenger_agent: reviewer\)/,
    ],
    ["when a review has no reviewer", overlay("agentic_review", "enabled: true"), /has no reviewer_agent/],
    [
      "when the driver challenges itself",
      overlay("paired_workflow", "enabled: true, challenger_agent: implementer"),
      /challenger_agent: implementer would judge its own work: challenger and driver/,
    ],
    [
      "when the driver is named and challenges itself",
      paired("driver_agent: reviewer"),
      /challenger_agent: reviewer would judge its own work/,
    ],
    [
      "when the coder reviews itself",
      review("coder_agent: reviewer"),
      /reviewer_agent: reviewer would judge its own work: reviewer and coder/,
    ],
    [
      "when the coder is in the chain",
      overlay("agentic_review", "enabled: true, reviewer_agent: [reviewer, implementer]"),
      /reviewer_agent\.1: implementer would judge its own work/,
    ],
    [
      "when the author scores itself",
      overlay("confidence_loop", "enabled: true, metrics: { judge: 1 }, judge_agent: implementer"),
      /judge_agent: implementer would judge its own work/,
    ],
    [
      "when a metric judge has no judge",
      overlay("confidence_loop", "enabled: true, metrics: { judge: 1 }"),
      /metrics\.judge: the metric judge needs an agent/,
    ],
    [
      "when a metric is unknown",
      overlay("confidence_loop", "enabled: true, metrics: { gate: 1 }"),
      /metrics\.gate: there is no metric gate; did you mean gates\?/,
    ],
    [
      "when there is nothing to score",
      overlay("confidence_loop", "enabled: true, metrics: {}"),
      /metrics: a score needs a metric/,
    ],
    [
      "when T1 has nobody to review",
      overlay("policy_gate", "enabled: true, risk_tier: T1"),
      /risk_tier: risk tier T1 wants an independent review, and nobody reviews build/,
    ],
    [
      "when roles switch at subtasks and there are none",
      paired("role_switch: subtask"),
      /role_switch: role_switch subtask needs the subtasks of build/,
    ],
    [
      "when roles switch at checkpoints and there are none",
      paired("role_switch: checkpoint"),
      /role_switch checkpoint needs checkpoints/,
    ],
    [
      "when checkpoints mean nothing",
      paired("checkpoints: [2]"),
      /checkpoints mean nothing with role_switch session/,
    ],
    [
      "when subtasks are more than iterations",
      paired("max_iterations: 1", "subtasks: [a, b], "),
      /subtasks: 2 subtasks need at least as many iterations, not 1 \(max_iterations: 2\)/,
    ],
    [
      "when nobody goes through the subtasks",
      one("agent: implementer, subtasks: [a]"),
      /subtasks: the subtasks of build need a loop/,
    ],
    ["when a loop has no rounds", paired("max_iterations: 0"), /max_iterations: /],
    [
      "when an exit counts rounds",
      paired('exit_conditions: ["pair.iteration >= 3"]'),
      /exit_conditions\.0: "pair\.iteration >= 3" is no evidence/,
    ],
    [
      "when a review ends without its decision",
      review('exit_conditions: ["findings.open == 0"]'),
      /exit_conditions\.0: .* is no evidence .*mentions review\.decision/,
    ],
    [
      "when a path in a condition is unknown",
      paired('exit_conditions: ["pair.challenger_aproved == true"]'),
      /exit_conditions\.0: .*pair\.challenger_aproved.*did you mean pair\.challenger_approved\?/,
    ],
    [
      "when a condition cannot be read",
      paired('exit_conditions: ["pair.challenger_approved =="]'),
      /exit_conditions\.0: /,
    ],
    [
      "when a reference is unknown",
      one("agent: implementer, prompt: 'see ${task.kee}'"),
      /^tasks\.build\.prompt: \$\{task\.kee\} is not known here/,
    ],
    [
      "when it depends on nothing there is",
      one("agent: implementer, depends_on: [biuld]"),
      /^tasks\.build\.depends_on\.0: no task is called biuld; did you mean build\?/,
    ],
    ["when it depends on itself", one("agent: implementer, depends_on: [build]"), /build depends on itself/],
    [
      "when a review has nothing before it",
      one("agent: reviewer, kind: review"),
      /^tasks\.build\.kind: build reviews what an earlier task made/,
    ],
    [
      "when who joins also judges",
      `join: { agent: reviewer, reviewer: reviewer }\n${one("agent: implementer")}`,
      /^join\.reviewer: reviewer would judge what it joined itself/,
    ],
    [
      "when a time is no time",
      `timeout: soon\n${one("agent: implementer")}`,
      /^timeout: must be a time such as 30s/,
    ],
  ])("%s", (_when, document, problem) => {
    const problems = problemsIn(document);
    expect(
      problems.some((line) => problem.test(line)),
      problems.join("\n"),
    ).toBe(true);
  });

  it("when tasks depend on one another in a circle, said once", () => {
    const circle = `tasks:
  a: { agent: implementer }
  b: { agent: implementer, depends_on: [d, a] }
  c: { agent: implementer, depends_on: [b] }
  d: { agent: implementer, depends_on: [c] }
`;
    expect(problemsIn(circle).filter((line) => line.includes("circle"))).toEqual([
      "tasks.b.depends_on: tasks depend on one another in a circle: b → d → c → b (take one of these dependencies away)",
    ]);
  });

  it("when a formal review is of one's own work", () => {
    const document = "tasks:\n  a: { agent: implementer }\n  b: { agent: implementer, kind: review }\n";
    expect(problemsIn(document)).toEqual([
      "tasks.b.agent: implementer would review its own work (give the review to another agent)",
    ]);
  });

  it("at the place where a default of all tasks is written", () => {
    const document = `overlays:\n  paired_workflow: { enabled: true, challenger_agent: implementer }\n${one("agent: implementer")}`;
    expect(problemsIn(document)[0]).toMatch(/^overlays\.paired_workflow\.challenger_agent: /);
  });
});

const same = "challenger and formal reviewer are the same agent";
const agents = { implementer: "alice", reviewer: "bob", architect: "alice", pe: "gemini", gemini: "gemini" };

describe("a workflow of tasks is warned of", () => {
  const design = `tasks:
  design:
    agent: architect
    overlays: { paired_workflow: { enabled: true, challenger_agent: pe } }
`;
  const formal = (line: string) => warningsIn(`${design}${line}`, { agents });

  it.each([
    ["a later task of the kind review", "  check: { agent: pe, kind: review }\n"],
    ["the same agent by another name", "  check: { agent: gemini, kind: review }\n"],
    [
      "a review that names it",
      "  build: { agent: architect, overlays: { agentic_review: { enabled: true, reviewer_agent: pe } } }\n",
    ],
    [
      "a chain that names it",
      "  build: { agent: architect, overlays: { agentic_review: { enabled: true, reviewer_agent: [reviewer, pe] } } }\n",
    ],
  ])("a challenger that is the formal reviewer: %s", (_what, line) => {
    expect(formal(line)).toEqual([`tasks.design.overlays.paired_workflow.challenger_agent: ${same}`]);
  });

  it("a challenger that has the reviewer's role later", () => {
    const document = `${design.replace("challenger_agent: pe", "challenger_agent: reviewer")}  look: { agent: reviewer }\n`;
    expect(warningsIn(document, { agents })).toEqual([expect.stringContaining(same)]);
  });

  it.each([
    ["it only builds later", "  build: { agent: pe }\n"],
    ["another one reviews", "  check: { agent: reviewer, kind: review }\n"],
  ])("not when %s", (_when, line) => {
    expect(formal(line)).toEqual([]);
  });

  it("not when its review came before", () => {
    const document = `tasks:
  build: { agent: architect, overlays: { agentic_review: { enabled: true, reviewer_agent: pe } } }
${design.replace("tasks:\n", "")}`;
    expect(warningsIn(document, { agents })).toEqual([]);
  });

  it("two names for one agent", () => {
    expect(
      warningsIn(design.replace("challenger_agent: pe", "challenger_agent: implementer"), { agents }),
    ).toEqual([
      "tasks.design.overlays.paired_workflow.challenger_agent: architect and implementer are both played by alice",
    ]);
  });

  it("two agents of one model", () => {
    const agent = {
      alice: { adapter: "claude", model: "opus" },
      gemini: { adapter: "claude", model: "opus" },
    };
    expect(warningsIn(design, { agents, agent })).toEqual([
      "tasks.design.overlays.paired_workflow.challenger_agent: alice and gemini are the same model: they share its blind spots",
    ]);
    const other = { ...agent, gemini: { adapter: "claude", model: "haiku" } };
    expect(warningsIn(design, { agents, agent: other })).toEqual([]);
  });

  it("a judge that nobody hears", () => {
    const document = overlay(
      "confidence_loop",
      "enabled: true, metrics: { gates: 1 }, judge_agent: reviewer",
    );
    expect(warningsIn(document)).toEqual([
      expect.stringMatching(/judge_agent: the score of reviewer counts for nothing/),
    ]);
  });
});
