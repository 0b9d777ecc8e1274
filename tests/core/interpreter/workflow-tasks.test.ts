// Tasks with overlays become steps: what each overlay adds, in which order tasks come, what follows side by side.
import { describe, expect, it } from "vitest";
import { loaded, routesOf } from "../workflow-written.ts";

/** One task with these lines below its overlays. */
const withOverlays = (overlays: string, more = "") => `
tasks:
  build:
    agent: implementer
${more}    overlays:
${overlays.replaceAll(/^/gm, "      ")}
`;
const paired = `paired_workflow:
  enabled: true
  challenger_agent: reviewer`;
const review = `agentic_review:
  enabled: true
  reviewer_agent: reviewer`;

const routes = (document: string) => routesOf(loaded(document).program);
const task = (document: string, key = "build") => {
  const found = loaded(document).program.tasks?.find((one) => one.key === key);
  if (!found) throw new Error(`no task ${key}`);
  return found;
};

describe("a task without overlays", () => {
  const document = `
tasks:
  build:
    agent: implementer
    title: Build it
    prompt: Build the cart
    acceptance_criteria: [it sums up]
`;

  it("runs with its single agent, and its gates", () => {
    expect(routes(document)).toEqual({
      build: "success→build/gates refused→build",
      "build/gates": "success→build/policy fail→build+",
      "build/policy": "passed→build/done failed→build+ signoff→build/sign-off",
      "build/sign-off": "approve→build/done rework→build+ reject→$cancel",
      "build/exhausted": "accept→build/done continue→$resume reject→$cancel",
      "build/done": "next→$next",
      approval: "",
    });
    expect(task(document)).toMatchObject({
      title: "Build it",
      text: "Build the cart",
      criteria: ["it sums up"],
      roles: { agent: "alice" },
      loop: { producer: "agent", max_rounds: 8, exhausted: "build/exhausted" },
    });
    expect(task(document).loop.critic).toBeUndefined();
    expect(loaded(document).program.steps[0]).toMatchObject({ role: "agent", prompt: "Build the cart" });
  });

  it("locks what it says it makes", () => {
    const locking = document.replace("title:", "outputs: [docs/*.md]\n    title:");
    expect(task(locking).outputs).toEqual(["docs/*.md"]);
    expect(routes(locking)).toMatchObject({
      "build/policy": "passed→build/lock failed→build+ signoff→build/sign-off",
      "build/lock": "locked→build/done",
    });
  });
});

describe("overlays", () => {
  it("paired: roles swap at subtasks", () => {
    const document = withOverlays(`${paired}\n  role_switch: subtask`, "    subtasks: [one, two]\n");
    expect(routes(document)["build/judge"]).toContain("subtask→build+swap");
    expect(task(document)).toMatchObject({
      role_switch: "subtask",
      subtasks: ["one", "two"],
      loop: { role_switch: "subtask", max_rounds: 5, exit: ["pair.challenger_approved == true"] },
    });
  });

  it.each([
    ["[2, 4]", [2, 4]],
    ["claim", "claim"],
  ])("paired: checkpoints %s", (written, checkpoints) => {
    const document = withOverlays(`${paired}\n  role_switch: checkpoint\n  checkpoints: ${written}`);
    expect(task(document)).toMatchObject({ checkpoints, loop: { role_switch: "checkpoint" } });
  });

  it("review: several reviewers are a chain", () => {
    const document = withOverlays(
      review.replace("reviewer_agent: reviewer", "reviewer_agent: [reviewer, gemini]"),
    );
    expect(task(document)).toMatchObject({
      roles: { reviewer: "bob" },
      loop: { chain: ["bob", "gemini"], max_rounds: 3 },
    });
  });

  it("confidence: a score between the gates and the judge, and one more way out of a pair", () => {
    const document = withOverlays(`${paired}\nconfidence_loop:\n  enabled: true\n  threshold: 0.82`);
    expect(routes(document)).toMatchObject({
      "build/gates": "success→build/score fail→build+",
      "build/score": "scored→build/judge",
      "build/review": "success→build/score refused→build/review",
    });
    expect(task(document)).toMatchObject({
      confidence: { threshold: 0.82, metrics: { gates: 0.5, review: 0.3, scope: 0.1, size: 0.1 } },
      loop: { exit: ["pair.challenger_approved == true", "confidence_score >= 0.82"] },
    });
  });

  it("confidence: an agent that judges, who is asked before", () => {
    const document = withOverlays(
      "confidence_loop:\n  enabled: true\n  metrics: { gates: 1, judge: 1 }\n  judge_agent: reviewer",
    );
    expect(routes(document)).toMatchObject({
      "build/gates": "success→build/judge-turn fail→build+",
      "build/judge-turn": "success→build/score refused→build/judge-turn",
      "build/score": "scored→build/policy",
    });
    expect(task(document)).toMatchObject({
      roles: { agent: "alice", judge: "bob" },
      confidence: { judge: "bob" },
    });
    expect(loaded(document).program.steps.find(({ name }) => name === "build/judge-turn")).toMatchObject({
      role: "judge",
      session: "fresh",
      answer: "score",
    });
  });

  it("policy and a human's signature are settings of the task", () => {
    const document = withOverlays(
      "policy_gate: { enabled: true, risk_tier: T2 }\nhil: { enabled: true, requires_human: true }",
    );
    expect(task(document)).toMatchObject({
      policy: { tier: "T2" },
      hil: { enabled: true, requires_human: true },
    });
  });

  it("without humans in the loop a task that goes nowhere ends as not completed", () => {
    const document = withOverlays(`${paired}\nhil: { enabled: false }`);
    const all = routes(document);
    expect(all["build/judge"]).toContain("stuck→build/exceeded");
    expect(all["build/exceeded"]).toBe("next→$next");
    expect(Object.keys(all)).not.toEqual(expect.arrayContaining(["build/exhausted"]));
    expect(Object.keys(all)).not.toEqual(expect.arrayContaining(["build/stuck"]));
    expect(task(document).loop.exhausted).toBe("build/exceeded");
  });

  it("an overlay that is off adds nothing", () => {
    const off = withOverlays(paired.replace("true", "false"));
    expect(task(off).overlay).toBeUndefined();
    expect(Object.keys(routes(off))).not.toContain("build/review");
  });

  it("above the tasks they hold for all, below what a task says itself", () => {
    const document = `
overlays:
  agentic_review: { enabled: true, reviewer_agent: reviewer, max_iterations: 7 }
tasks:
  one: { agent: implementer }
  two:
    agent: implementer
    overlays: { agentic_review: { enabled: true, max_iterations: 2 } }
  three:
    agent: implementer
    overlays: { agentic_review: { enabled: false } }
`;
    expect(task(document, "one").loop).toMatchObject({ max_rounds: 7, critic: "reviewer" });
    expect(task(document, "two").loop).toMatchObject({ max_rounds: 2, critic: "reviewer" });
    expect(task(document, "three").loop.critic).toBeUndefined();
  });

  it("max_iterations of the workflow is the limit of loops that have none", () => {
    expect(task(`max_iterations: 4\n${withOverlays(paired)}`).loop.max_rounds).toBe(4);
  });
});

describe("a review task", () => {
  const document = `
tasks:
  build: { agent: implementer }
  check: { agent: reviewer, kind: review, depends_on: [build] }
`;

  it("begins with the review; who made the work fixes it", () => {
    expect(task(document, "check")).toMatchObject({
      first: "check/review",
      roles: { author: "alice", reviewer: "bob" },
      loop: { producer: "author", critic: "reviewer", exit: ["review.decision == GO"], max_rounds: 3 },
    });
    expect(routes(document)).toMatchObject({
      check: "success→check/gates refused→check",
      "check/review": "success→check/judge refused→check/review",
    });
  });

  it("asks the driver where the work was a pair's", () => {
    const driven = document.replace(
      "build: { agent: implementer }",
      "build: { agent: gemini, overlays: { paired_workflow: { enabled: true, driver_agent: qwen, challenger_agent: kimi } } }",
    );
    expect(task(driven, "check").roles).toEqual({ author: "qwen", reviewer: "bob" });
  });
});

describe("several tasks", () => {
  const four = (more = "") => `
${more}
tasks:
  ship: { agent: implementer, depends_on: [left, right] }
  left: { agent: implementer, depends_on: [plan] }
  right: { agent: implementer, depends_on: [plan] }
  plan: { agent: implementer, overlays: { agentic_review: { enabled: true, reviewer_agent: gemini } } }
`;

  it("come in the order of what they depend on, otherwise as they are written", () => {
    const { program } = loaded(four());
    expect(program.tasks?.map(({ key }) => key)).toEqual(["plan", "left", "right", "ship"]);
    expect(program.start).toBe("plan");
    expect(program.max_concurrent).toBeUndefined();
    expect(program.steps.map(({ name }) => name)).not.toContain("children");
  });

  it("side by side, one more task judges what they made together", () => {
    const { program } = loaded(four("max_concurrent: 2"));
    expect(program.max_concurrent).toBe(2);
    expect(program.tasks?.at(-1)).toMatchObject({
      key: "join",
      joins: true,
      first: "join/gates",
      roles: { integrator: "alice", reviewer: "gemini" },
      loop: { producer: "integrator", critic: "reviewer", max_rounds: 3, exit: ["review.decision == GO"] },
    });
    expect(routesOf(program)).toMatchObject({
      children: "joined→join/gates conflict→join/conflict failed→children/failed",
      "children/failed": "continue→$next reject→$cancel",
      "join/conflict": "turn→join+ reject→$cancel",
      join: "success→join/gates refused→join",
      "join/gates": "success→join/judge fail→join+",
      "join/exhausted": "accept→join/done continue→$resume reject→$cancel",
      "join/done": "next→$next",
    });
    expect(program.steps.find(({ name }) => name === "children")).toMatchObject({
      children: [],
      max_concurrent: 2,
    });
  });

  it("side by side, an agent may resolve conflicts without asking", () => {
    const all = routes(
      four("max_concurrent: 2\njoin: { agent: qwen, reviewer: kimi, on_conflict: turn, max_iterations: 1 }"),
    );
    expect(all.children).toBe("joined→join/gates conflict→join+ failed→children/failed");
    expect(Object.keys(all)).not.toContain("join/conflict");
  });

  it("in a row, nothing is joined", () => {
    const row =
      "max_concurrent: 4\ntasks:\n  a: { agent: implementer }\n  b: { agent: implementer, depends_on: [a] }\n";
    expect(loaded(row).program.tasks?.map(({ key }) => key)).toEqual(["a", "b"]);
  });

  it("have times and names of the whole workflow", () => {
    const { program } = loaded(four('name: Four\nversion: "2"\ntimeout: 1h30m'), "four");
    expect(program).toMatchObject({ id: "four", name: "Four", version: "2", timeout_s: 5400 });
  });
});
