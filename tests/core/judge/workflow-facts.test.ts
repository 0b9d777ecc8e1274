// What conditions and references find at their paths, by the state of a bubble.
import { describe, expect, it } from "vitest";
import { buildFacts } from "../../../src/core/judge/facts.ts";
import type { GateResult } from "../../../src/core/model/gate.ts";
import type { Loop, Program, ProgramTask, Step } from "../../../src/core/model/program.ts";
import type { LastReview, StepRecord, TaskProgress } from "../../../src/core/model/run.ts";
import type { Review } from "../../../src/core/model/state/evidence.ts";
import type { State } from "../../../src/core/model/state.ts";
import {
  buildCatalogue,
  fixedPaths,
  getOutputFields,
  getPathType,
} from "../../../src/core/workflow/catalogue.ts";
import { isConditionTrue } from "../../../src/core/workflow/condition.ts";
import { getValueAt } from "../../../src/core/workflow/path.ts";
import { configOf } from "../pair.ts";

const on = {};
const loop: Loop = {
  producer: "developer",
  critic: "reviewer",
  max_rounds: 5,
  clean_passes: 1,
  role_switch: "never",
  exhausted: "ask",
};
const turn = { kind: "turn", session: "fresh", retries: 2, on } as const;
const steps: Step[] = [
  { ...turn, name: "developer", role: "developer", answer: "handoff" },
  { ...turn, name: "retry_developer", role: "developer", answer: "handoff" },
  { ...turn, name: "reviewer", role: "reviewer", answer: "findings" },
  { ...turn, name: "judge", role: "judge", answer: "score" },
  { kind: "gates", name: "gates", on },
  { kind: "context", name: "context", on },
  { kind: "validate", name: "validate", on },
  { kind: "question", name: "ask", ask: "exhausted", on },
  { kind: "question", name: "ask_again", ask: "stuck", on },
  { kind: "emit", name: "constructor", event: "told", payload: {}, on },
];
const program: Program = { id: "w", name: "w", version: "1", start: "developer", loop, steps };

const task: ProgramTask = {
  key: "design",
  first: "design",
  criteria: [],
  depends_on: [],
  roles: { developer: "ann", reviewer: "bob" },
  loop,
  hil: { enabled: true, requires_human: false },
};
const taskSteps: Step[] = [
  { ...turn, name: "design", role: "developer", answer: "handoff", task: "design" },
  { ...turn, name: "design/review", role: "reviewer", answer: "findings", task: "design" },
  { ...turn, name: "design/judge", role: "judge", answer: "score", task: "design" },
  { kind: "score", name: "design/score", on, task: "design" },
  { ...turn, name: "build", role: "developer", answer: "handoff", task: "build" },
  { ...turn, name: "build/review", role: "reviewer", answer: "findings", task: "build" },
];

const tree: NonNullable<State["tree"]> = {
  id: "T1",
  commit: "c1",
  files: [
    { path: "src/cart.ts", status: "M", added: 1, removed: 0 },
    { path: "README.md", status: "A", added: 1, removed: 0 },
  ] as unknown as NonNullable<State["tree"]>["files"],
  filesTotal: 2,
  added: 2,
  removed: 0,
  by: "ann",
  round: 2,
  seq: 20,
  touched: [],
};
const gate = { name: "test", command: "npm test", required: true, timeout_seconds: 600 };
const result = (over: Partial<GateResult> = {}): GateResult => ({
  ...gate,
  status: "passed",
  exit_code: 0,
  duration_ms: 1,
  excerpt: "",
  ...over,
});
const ran = (...results: GateResult[]) => ({ tree: "T1", attempt: 1, seq: 21, results, void: false });
const review = (over: Partial<Review> = {}): Review => ({
  agent: "bob",
  round: 2,
  seq: 30,
  tree: "T1",
  clean: true,
  byOperator: false,
  openIds: [],
  ...over,
});
const said = (over: Partial<LastReview> = {}): LastReview => ({
  agent: "bob",
  tree: "T1",
  seq: 30,
  approved: true,
  feedback: "Fine",
  ...over,
});
const record = (over: Partial<StepRecord> = {}): StepRecord => ({
  outcome: "success",
  seq: 10,
  at: "2026-01-01T00:00:00Z",
  visits: 1,
  ...over,
});
const progress = (over: Partial<TaskProgress> = {}): TaskProgress => ({
  status: "running",
  seq: 5,
  firstRound: 2,
  subtask: 1,
  switches: 1,
  changed: 5,
  history: [],
  ...over,
});

function stateOf(over: Partial<State> = {}): State {
  return {
    bubbleId: "cart",
    config: configOf(),
    program,
    profile: { gates: [gate], source: "given", confirmed: true },
    position: { step: "reviewer", seq: 22, outcome: "success", why: "", refusals: 0 },
    round: 2,
    extraRounds: 0,
    roles: { developer: "ann", reviewer: "bob" },
    roundRoleHistory: [],
    findings: [],
    reviews: [],
    questions: [],
    waivedGates: [],
    ...over,
  } as State;
}
/** In the design task, which began in round 2 at line 5. */
function inTask(taskOver: Partial<ProgramTask>, over: Partial<State> = {}): State {
  const one = { ...task, ...taskOver };
  const build = { ...task, key: "build", first: "build" };
  return stateOf({
    program: { ...program, steps: taskSteps, tasks: [one, build] },
    position: { step: "design/review", seq: 22, outcome: "success", why: "", refusals: 0 },
    tasks: { design: progress() },
    tree,
    ...over,
  });
}
const at = (state: State, path: string, texts = {}) => getValueAt(buildFacts(state, texts), path);

describe("before anything has happened", () => {
  const facts = buildFacts(stateOf({ round: 0 }));

  it("nothing is known, and nothing holds", () => {
    expect(facts).toEqual({
      pair: { challenger_approved: false },
      review: { iteration: 0 },
      gates: { passed: false },
      policy: { passed: false },
      findings: { open: 0, blocking: 0 },
      execution: { iteration: 0 },
      task: {},
      human: {},
      trigger: { payload: {} },
      papers: {},
      run: { attempt: 1 },
      producer: { promised: false },
      steps: {},
    });
  });
});

describe("a turn's output", () => {
  const texts = { diff: "diff --git", summary: "done" };

  it("is the newest of its role, whichever step it came from", () => {
    const facts = buildFacts(stateOf({ tree }), texts);
    const output = {
      result: "diff --git",
      files_modified: ["src/cart.ts", "README.md"],
      summary: "done",
      tree: "T1",
    };
    expect(getValueAt(facts, "steps.developer.output")).toEqual(output);
    expect(getValueAt(facts, "steps.retry_developer.output")).toEqual(output);
  });

  it("has no texts that nobody has loaded", () => {
    expect(at(stateOf({ tree }), "steps.developer.output")).toEqual({
      files_modified: ["src/cart.ts", "README.md"],
      tree: "T1",
    });
  });

  it("has the newest error of its role", () => {
    const state = stateOf({
      steps: {
        developer: record({ error: "first", seq: 3 }),
        retry_developer: record({ error: "second", seq: 9, outcome: "fail" }),
      },
    });
    expect(at(state, "steps.developer.error")).toBe("second");
    expect(at(state, "steps.developer.outcome")).toBe("success");
    expect(at(state, "steps.reviewer.error")).toBeUndefined();
  });

  it("is not passed off as another task's", () => {
    const state = inTask({}, { lastReview: said(), reviews: [review()] });
    expect(at(state, "steps.design.output.tree")).toBe("T1");
    expect(at(state, "steps.design/review.output.verdict")).toBe("approved");
    expect(at(state, "steps.build.output")).toBeUndefined();
    expect(at(state, "steps.build/review.output")).toBeUndefined();
    const before = inTask({}, { lastReview: said({ seq: 4 }), tree: { ...tree, seq: 4 } });
    expect(at(before, "steps.design.output")).toBeUndefined();
    expect(at(before, "steps.design/review.output")).toBeUndefined();
  });
});

describe("a review's output", () => {
  const opinion = {
    dialect: "verdict",
    decision: "revise",
    sop_review: [{ sop_id: "a", status: "passed", evidence: "x:1", violations: [] }],
    confidence: 0.8,
    patterns: [{ name: "n", pattern: "p", applies_to: "*" }],
  } as const;
  const outputOf = (lastReview: LastReview) =>
    at(stateOf({ tree, lastReview }), "steps.reviewer.output") as Record<string, unknown>;

  it("when it approves", () => {
    const lastReview = said({ opinion: { ...opinion, decision: "approve" } as never });
    expect(outputOf(lastReview)).toEqual({
      verdict: "approved",
      decision: "GO",
      feedback: "Fine",
      confidence: 0.8,
      patterns: opinion.patterns,
      sop_review: opinion.sop_review,
      findings: [],
      tree: "T1",
    });
  });

  it.each(["fixable", "misscoped", "architectural", "too_big", "unknown"])(
    "when it rejects as %s",
    (route) => {
      const output = outputOf(said({ approved: false, opinion: { ...opinion, route } as never }));
      expect(output).toMatchObject({ verdict: "rejected", decision: "NO_GO", rejection_type: route });
    },
  );

  it("that rejects and says no more is fixable", () => {
    expect(outputOf(said({ approved: false }))).toMatchObject({ rejection_type: "fixable" });
  });

  it("that cannot count is no approval", () => {
    const output = outputOf(said({ approved: true, invalid: ["no evidence"] }));
    expect(output).toMatchObject({ verdict: "rejected", decision: "NO_GO" });
    expect(output).not.toHaveProperty("rejection_type");
  });

  it("names what is open", () => {
    const findings = [
      { id: "F1", severity: "P1", title: "Wrong", file: "a.ts", line: 3, status: "open" },
      { id: "F2", severity: "P3", title: "Late", status: "fixed" },
    ] as unknown as State["findings"];
    const state = stateOf({ tree, findings, lastReview: said({ approved: false }) });
    expect(at(state, "steps.reviewer.output.findings")).toEqual([
      { id: "F1", severity: "P1", title: "Wrong", file: "a.ts", line: 3 },
    ]);
    expect(buildFacts(state).findings).toEqual({ open: 1, blocking: 1 });
  });
});

describe("gates", () => {
  it("that passed", () => {
    const facts = buildFacts(stateOf({ tree, gates: ran(result()) }));
    expect(facts.gates).toEqual({ passed: true, failed: 0 });
    expect(getValueAt(facts, "steps.gates.output")).toEqual({ passed: true, failed: [], feedback: "" });
  });

  it("that failed say what, in words", () => {
    const gates = ran(
      result({ status: "failed", excerpt: "1 test failed\n", hint: "look" }),
      result({ name: "lint", command: "lint", required: false, status: "timeout", excerpt: "slow" }),
    );
    const facts = buildFacts(stateOf({ tree, gates }));
    expect(facts.gates).toEqual({ passed: false, failed: 1 });
    expect(getValueAt(facts, "steps.gates.output")).toEqual({
      passed: false,
      failed: ["test"],
      feedback:
        "test: failed (npm test)\nlook\n1 test failed\n\nlint: timeout (optional: a warning) (lint)\nslow",
    });
  });

  it("of another tree say nothing", () => {
    const facts = buildFacts(stateOf({ tree, gates: { ...ran(result()), tree: "T0" } }));
    expect(facts.gates).toEqual({ passed: false });
    expect(getValueAt(facts, "steps.gates.output")).toBeUndefined();
  });
});

describe("the pair", () => {
  const overlay = "paired_workflow" as const;

  it("is known where its overlay is on", () => {
    const state = inTask({ overlay }, { round: 3, extraRounds: 2, reviews: [review()], lastReview: said() });
    expect(buildFacts(state)).toMatchObject({
      pair: {
        challenger_approved: true,
        iteration: 2,
        max_iterations: 7,
        switches: 1,
        current_role_driver: "ann",
      },
      review: {},
      execution: { iteration: 2 },
      task: { key: "design", iteration: 2, subtask: 1 },
    });
    expect(isConditionTrue("review.decision == GO", buildFacts(state))).toBe(false);
  });

  it.each([
    ["no review", {}],
    ["a review that is not clean", { reviews: [review({ clean: false })] }],
    ["a review of another tree", { reviews: [review({ tree: "T0" })] }],
    ["a review from before the task", { reviews: [review({ seq: 4 })] }],
    ["a clean review and then another", { reviews: [review(), review({ seq: 31, clean: false })] }],
    ["a review that is not sure", { reviews: [review({ unsure: 0.5 })] }],
    [
      "a newer review that cannot count",
      { reviews: [review()], lastReview: said({ seq: 31, invalid: ["x"] }) },
    ],
  ])("does not approve by %s", (_name, over) => {
    const facts = buildFacts(inTask({ overlay }, over));
    expect(facts.pair).toMatchObject({ challenger_approved: false });
    expect(isConditionTrue("pair.challenger_approved == true", facts)).toBe(false);
    expect(isConditionTrue("not pair.challenger_approved", facts)).toBe(true);
  });

  it("approves by what a human trusts", () => {
    const state = inTask({ overlay }, { reviews: [review({ unsure: 0.5, trusted: true })] });
    expect(at(state, "pair.challenger_approved")).toBe(true);
  });
});

describe("formal review", () => {
  const overlay = "agentic_review" as const;
  const decision = (over: Partial<State>, chain?: string[]) =>
    at(inTask({ overlay, loop: chain ? { ...loop, chain } : loop }, over), "review.decision");

  it("decides once the tree is judged", () => {
    expect(decision({})).toBeUndefined();
    expect(decision({ reviews: [review()] })).toBe("GO");
    expect(decision({ reviews: [review({ clean: false })] })).toBe("NO_GO");
    expect(decision({ reviews: [review({ tree: "T0", clean: false })] })).toBeUndefined();
    expect(decision({ lastReview: said({ invalid: ["x"] }) })).toBe("NO_GO");
  });

  it("decides nothing by a review that waits for a human's trust", () => {
    expect(decision({ reviews: [review({ unsure: 0.3 })] })).toBeUndefined();
    expect(decision({ reviews: [review({ unsure: 0.3, clean: false })] })).toBeUndefined();
  });

  it("wants every reviewer of a chain", () => {
    const chain = ["bob", "eve"];
    const second = review({ agent: "eve", seq: 31 });
    expect(decision({ reviews: [review()] }, chain)).toBeUndefined();
    expect(decision({ reviews: [review(), second] }, chain)).toBe("GO");
    expect(decision({ reviews: [review(), { ...second, clean: false }] }, chain)).toBe("NO_GO");
    expect(decision({ reviews: [review({ seq: 4 }), second] }, chain)).toBeUndefined();
  });

  it("knows iteration and confidence, and leaves the pair alone", () => {
    const opinion = { dialect: "decision", decision: "approve", confidence: 0.9 } as never;
    const state = inTask({ overlay }, { reviews: [review()], lastReview: said({ opinion }) });
    expect(buildFacts(state)).toMatchObject({
      review: { decision: "GO", iteration: 1, confidence: 0.9 },
      pair: { challenger_approved: false },
    });
    expect(buildFacts(state).pair).toEqual({ challenger_approved: false });
  });

  it("is there without tasks too, where there is a critic", () => {
    expect(at(stateOf({ tree, reviews: [review()] }), "review.decision")).toBe("GO");
    const { critic: _none, ...alone } = loop;
    expect(buildFacts(stateOf({ tree, program: { ...program, loop: alone } })).review).toEqual({});
  });
});

describe("scores and policy", () => {
  it("a score is for its tree", () => {
    const confidence = { score: 0.9, tree: "T1", met: true };
    const judged = { score: 0.7, tree: "T1", agent: "eve" };
    const state = inTask({}, { tasks: { design: progress({ confidence, judged }) } });
    expect(at(state, "confidence_score")).toBe(0.9);
    expect(at(state, "steps.design/score.output")).toEqual({ score: 0.9, met: true });
    expect(at(state, "steps.design/judge.output")).toEqual({ score: 0.7 });
    const later = { ...state, tree: { ...tree, id: "T2" } };
    expect(at(later, "confidence_score")).toBeUndefined();
    expect(at(later, "steps.design/score.output")).toBeUndefined();
    expect(isConditionTrue("confidence_score < 1", buildFacts(later))).toBe(false);
  });

  it("the policy passes only where there is one", () => {
    const green = { gates: ran(result()) };
    const tier = (value: "T0" | "T1") => buildFacts(inTask({ policy: { tier: value } }, green)).policy;
    expect(tier("T0")).toEqual({ passed: true, tier: "T0" });
    expect(tier("T1")).toEqual({ passed: false, tier: "T1" });
    expect(buildFacts(inTask({}, green)).policy).toEqual({ passed: false });
  });
});

describe("other steps", () => {
  it("give what is on the record, whatever they are called", () => {
    const recorded = {
      validate: record({
        outcome: "fail",
        error: "e",
        output: { valid: false, reason: "r", details: { a: 1 } },
      }),
    };
    const facts = buildFacts(stateOf({ steps: recorded }));
    expect(getValueAt(facts, "steps.validate")).toEqual({
      outcome: "fail",
      error: "e",
      output: { valid: false, reason: "r", details: { a: 1 } },
    });
    expect(getValueAt(facts, "steps.constructor.outcome")).toBeUndefined();
    const told = buildFacts(stateOf({ steps: { constructor: record({ output: { event: "told" } }) } }));
    expect(getValueAt(told, "steps.constructor.output.event")).toBe("told");
  });

  it("the context of the tree, unless it could not be had", () => {
    const context = { sops: [{ id: "source.doc.sops.errors", severity: "error" as const }], digest: "d" };
    const texts = { sops: "# Errors", conventions: "none" };
    expect(at(stateOf({ tree: { ...tree, context } }), "steps.context.output", texts)).toEqual({
      sops: "# Errors",
      conventions: "none",
      sop_ids: ["source.doc.sops.errors"],
    });
    const broken = { ...tree, context: { ...context, problem: "too long" } };
    expect(at(stateOf({ tree: broken }), "steps.context.output", texts)).toBeUndefined();
  });

  it("a human's newest answer", () => {
    const answered = {
      ask: record({ seq: 40, output: { decision: "continue", message: "once more" } }),
      ask_again: record({ seq: 12, output: { decision: "accept", message: "fine" } }),
    };
    expect(buildFacts(stateOf({ steps: answered })).human).toEqual({
      decision: "continue",
      message: "once more",
    });
  });

  it("what the run was started with", () => {
    const payload = { slug: "cart", list: [1] };
    expect(at(stateOf({ program: { ...program, payload } }), "trigger.payload")).toEqual(payload);
  });
});

it("says nothing that the catalogue does not know", () => {
  const confidence = { score: 0.9, tree: "T1", met: true };
  const states = [
    stateOf({ tree, gates: ran(result()), lastReview: said(), reviews: [review()] }),
    inTask(
      { overlay: "paired_workflow", policy: { tier: "T0" } },
      { tasks: { design: progress({ confidence }) } },
    ),
    inTask({ overlay: "agentic_review" }, { reviews: [review()], lastReview: said() }),
  ];
  for (const state of states) {
    const catalogue = buildCatalogue(state.program);
    const facts = buildFacts(state, { diff: "d", sops: "s", conventions: "c", summary: "y" });
    const given = [
      ...Object.keys(fixedPaths),
      ...state.program.steps.flatMap((step) =>
        Object.keys(getOutputFields(step)).map((field) => `steps.${step.name}.output.${field}`),
      ),
    ];
    for (const path of leaves(facts)) expect(getPathType(catalogue, path), path).toBeDefined();
    for (const path of given) {
      const value = getValueAt(facts, path);
      const type = Array.isArray(value) ? "list" : typeof value;
      if (value !== undefined) expect([type, "any"], path).toContain(getPathType(catalogue, path));
    }
  }
});

/** The paths of all values two levels deep, and of what steps gave. */
function leaves(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).flatMap(([root, value]) => {
    if (typeof value !== "object" || value === null) return [root];
    if (root !== "steps") return Object.keys(value).map((key) => `${root}.${key}`);
    return Object.entries(value as Record<string, { output?: object }>).flatMap(([name, { output = {} }]) =>
      Object.keys(output).map((field) => `steps.${name}.output.${field}`),
    );
  });
}
