// What the final answer of a turn without a terminal means. Anything that is not exactly an answer is garbage, with
// the reason; nothing that a model can say makes the referee stumble.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnswerKind, signals, understand, understandText } from "../../../src/core/answer/answer.ts";
import { dialects } from "../../../src/core/model/review/verdict.ts";
import { wholePackage } from "../../../src/testing/scenario-actors.ts";
import { p1 } from "../pair.ts";

const done = { status: "completed", summary: "Discounts come before tax" };
const problem = (kind: AnswerKind, value: unknown) => {
  const understood = understand(kind, value);
  return understood.kind === "garbage" ? understood.problem : `understood as ${understood.kind}`;
};
/** The shortest finished answer of each kind. */
const finished: Readonly<Record<AnswerKind, Readonly<Record<string, unknown>>>> = {
  handoff: done,
  score: { ...done, score: 0.8 },
  paper: { ...done, paper: { title: "Sign in" } },
  findings: { ...done, findings: [] },
  decision: { status: "completed", decision: "GO", feedback: done.summary },
  status: { status: "approved", summary: done.summary },
  verdict: {
    ...{ status: "completed", verdict: "approved", feedback: done.summary },
    ...{ sop_review: [], confidence: 0.9 },
  },
  challenge: { status: "completed", challenger_approved: true, critique: done.summary },
};
const kinds = ["handoff", "score", "paper", ...dialects] as const;
const critics = dialects;
const opinion = { dialect: "findings", decision: "approve", sop_review: [], patterns: [] };

describe("a producer's answer", () => {
  it("hands over with what it says about the work", () => {
    const disputes = [{ id: "F1", reason: "the sum is net" }];
    expect(
      understand("handoff", { ...done, package: wholePackage, disputes, no_change: "nothing was wrong" }),
    ).toEqual({
      kind: "claim",
      claim: {
        type: "pass",
        summary: done.summary,
        disputes,
        package: wholePackage,
        noChange: "nothing was wrong",
      },
    });
  });

  it("needs a status and a summary, and nothing else", () => {
    expect(understand("handoff", done)).toEqual({
      kind: "claim",
      claim: { type: "pass", summary: done.summary, disputes: [] },
    });
  });

  it("keeps the parts of the package that it has", () => {
    expect(understand("handoff", { ...done, package: { what: " w ", why: null, risks: "" } })).toMatchObject({
      claim: { package: { what: "w" } },
    });
    expect(understand("handoff", { ...done, package: {} })).not.toHaveProperty("claim.package");
  });
});

describe("a producer's checkpoint", () => {
  it("is handed over by its name", () => {
    expect(understand("handoff", { ...done, checkpoint: " schema agreed " })).toMatchObject({
      claim: { type: "pass", checkpoint: "schema agreed" },
    });
    expect(understand("handoff", { ...done, checkpoint: null })).not.toHaveProperty("claim.checkpoint");
    expect(problem("handoff", { ...done, checkpoint: "x".repeat(201) })).toMatch(/^checkpoint: /);
    expect(problem("score", { ...finished.score, checkpoint: "x" })).toMatch(/^checkpoint is not a field/);
  });
});

describe("a judge's answer", () => {
  it.each([0, 0.8, 1])("hands in the score %d", (score) => {
    expect(understand("score", { ...done, score })).toEqual({
      kind: "claim",
      claim: { type: "pass", summary: done.summary, score },
    });
  });

  it.each([-0.1, 1.1, 80, "0.8", true, Number.NaN])("takes no %j for a score", (score) => {
    expect(problem("score", { ...done, score })).toMatch(/^score: /);
  });

  it("needs its number, and no other answer has one", () => {
    expect(problem("score", done)).toBe("status completed needs a score from 0 to 1");
    expect(problem("handoff", { ...done, score: 0.8 })).toMatch(/^score is not a field of this answer/);
  });

  it("is never looked for in its words", () => {
    const json = JSON.stringify(finished.score);
    expect(understandText("score", json, undefined).kind).toBe("claim");
    expect(understandText("score", `I think: ${json}`, finished.score).kind).toBe("garbage");
  });
});

describe("an author's answer", () => {
  const paper = { title: "Sign in", steps: [{ id: 1, file: null, note: "" }] };

  it("hands in its paper as it is, without what is absent", () => {
    expect(understand("paper", { ...done, paper, disputes: [] })).toEqual({
      kind: "claim",
      claim: { type: "pass", summary: done.summary, paper: { title: "Sign in", steps: [{ id: 1 }] } },
    });
  });

  it("may dispute a finding beside it", () => {
    const disputes = [{ id: "F1", reason: "src/cart.ts:4 does it already" }];
    expect(understand("paper", { ...done, paper, disputes })).toMatchObject({ claim: { disputes } });
  });

  it("needs a paper that is an object, and no other answer has one", () => {
    expect(problem("paper", done)).toBe("status completed needs the paper");
    expect(problem("paper", { ...done, paper: null })).toBe("status completed needs the paper");
    expect(problem("paper", { ...done, paper: "a plan" })).toMatch(/^paper: /);
    expect(problem("handoff", { ...done, paper })).toMatch(/^paper is not a field of this answer/);
    expect(problem("paper", { ...finished.paper, package: { what: "x" } })).toMatch(
      /^package is not a field/,
    );
  });

  it("may come with words around it, as work does", () => {
    expect(understandText("paper", "Here it is: {…}", finished.paper).kind).toBe("claim");
  });
});

describe("a critic's answer", () => {
  const checked = [{ file: "src/cart.ts", line: 4, why: "the sum is right" }];
  const answers = [{ id: "F1", status: "withdrawn", reason: "it was meant so" }];

  it("reports what it found", () => {
    expect(understand("findings", { ...done, findings: [p1], answers, checked })).toEqual({
      kind: "claim",
      claim: {
        ...{ type: "pass", summary: done.summary, findings: [p1], answers, checked },
        opinion: { ...opinion, decision: "revise" },
      },
    });
  });

  it("without findings says so", () => {
    expect(understand("findings", { ...done, findings: [], checked })).toEqual({
      kind: "claim",
      claim: {
        ...{ type: "pass", summary: done.summary, findings: [], answers: [], checked, noFindings: true },
        opinion,
      },
    });
  });

  it("may hold that nothing is missing any more", () => {
    expect(understand("findings", { ...done, converged: true, answers })).toEqual({
      kind: "claim",
      claim: { type: "converged", summary: done.summary, findings: [], answers, checked: [], opinion },
    });
  });

  it("cannot find something and hold that nothing is missing", () => {
    expect(problem("findings", { ...done, converged: true, findings: [p1] })).toMatch(/cannot be both/);
  });
});

describe.each(kinds)("the worker's signal of a turn that hands in %s", (kind) => {
  const questions = [
    { id: "db", question: "Which database?", options: ["SQLite", "Postgres"], context: "Tests need one." },
    { question: "Which name?" },
  ];

  it("needs_input asks", () => {
    expect(understand(kind, { status: "needs_input", questions })).toEqual({
      kind: "asks",
      questions: [questions[0], { id: "q2", question: "Which name?" }],
    });
  });

  it("needs_input without a question is garbage, and so are questions without needs_input", () => {
    expect(problem(kind, { status: "needs_input", summary: "help" })).toMatch(/at least one question/);
    for (const status of ["error", "in_progress"])
      expect(problem(kind, { ...finished[kind], message: "m", status, questions })).toBe(
        `it asks questions, so its status must be needs_input, not ${status}`,
      );
    const wanted = kind === "status" ? "needs_clarification, not approved" : "needs_input, not completed";
    expect(problem(kind, { ...finished[kind], questions })).toBe(
      `it asks questions, so its status must be ${wanted}`,
    );
  });

  it("error says what went wrong", () => {
    expect(understand(kind, { status: "error", message: "no network" })).toEqual({
      kind: "failed",
      message: "no network",
    });
    expect(problem(kind, { status: "error" })).toMatch(/needs a message/);
  });

  it("in_progress says what is left, as far as it says anything", () => {
    const said = (more: object) => understand(kind, { status: "in_progress", ...more });
    expect(said({ message: "tests", summary: "half" })).toEqual({ kind: "unfinished", message: "tests" });
    expect(said({ summary: "half" })).toEqual({ kind: "unfinished", message: "half" });
    expect(said({})).toEqual({ kind: "unfinished", message: "it says that it is not ready" });
  });

  it("a finished answer needs words that say something", () => {
    const name = ["summary", "feedback", "critique"].find((field) => field in finished[kind]) ?? "";
    for (const said of [undefined, null, "", " \n"])
      expect(problem(kind, { ...finished[kind], [name]: said })).toBe(
        ["handoff", "score", "paper"].includes(kind)
          ? "status completed needs a summary"
          : `${name} is missing`,
      );
  });

  it("may name its worker, phase and time, which the referee knows better", () => {
    const told = { worker_id: "w1", phase: "build", agent_id: "a", timestamp: "now" };
    expect(understand(kind, { ...finished[kind], ...told }).kind).toBe("claim");
  });

  it.each(["COMPLETED", "complete", "done", "completed ", "Approved", 7, true, ["completed"], {}])(
    "is no signal when it is %j",
    (status) => {
      expect(problem(kind, { ...finished[kind], status })).toMatch(/^status: /);
    },
  );

  it("names the words that are known when it is another", () => {
    expect(problem(kind, { ...finished[kind], status: "ok" })).toBe(
      kind === "status"
        ? 'status: "ok" is not known here: it must be exactly approved or needs_changes or needs_clarification'
        : `status: must be one of ${signals.join(", ")}`,
    );
  });
});

describe("a critic's signal", () => {
  it.each(critics.filter((kind) => kind !== "status"))("may be left out of an answer with %s", (kind) => {
    const { status: _status, ...review } = finished[kind];
    for (const status of [undefined, null, ""])
      expect(understand(kind, { ...review, status })).toEqual(understand(kind, finished[kind]));
    expect(problem("handoff", { summary: "s" })).toBe("status is missing");
  });

  it.each(critics)("leaves what decides empty in an answer with %s, when it waits", (kind) => {
    const fields = { decision: null, verdict: null, challenger_approved: null, summary: null };
    const known = Object.fromEntries(Object.entries(fields).filter(([name]) => name in finished[kind]));
    const said = { ...known, status: "needs_input", questions: [{ question: "Which rate?" }] };
    expect(understand(kind, said).kind).toBe("asks");
    expect(problem(kind, { ...said, verdicts: 1 })).toMatch(/^verdicts is not a field of this answer/);
  });

  it("is told from the word of the status dialect by its words", () => {
    const clarify = { status: "needs_clarification", summary: "One thing is unclear" };
    expect(
      understand("status", {
        ...clarify,
        tree: "T1",
        questions: ["Which rate?", { question: "Which day?", options: ["today"], context: "it is late" }],
      }),
    ).toEqual({
      kind: "asks",
      tree: "T1",
      questions: [
        { id: "q1", question: "Which rate?" },
        { id: "q2", question: "Which day?", options: ["today"], context: "it is late" },
      ],
    });
    expect(problem("status", clarify)).toMatch(/needs a question/);
    expect(problem("status", { ...finished.status, status: "completed" })).toMatch(/^status: "completed"/);
  });
});

describe.each(kinds)("in an answer with %s", (kind) => {
  it("null and empty stand for what is absent", () => {
    const whole = understand(kind, finished[kind]);
    const unused = { questions: [], message: null, worker_id: null, timestamp: "" };
    const foreign =
      kind === "handoff" || kind === "score"
        ? { package: null, no_change: null, checkpoint: null }
        : { tree: "", confidence: kind === "verdict" ? 0.9 : null, checked: null };
    expect(understand(kind, { ...finished[kind], ...unused, ...foreign })).toEqual(whole);
    expect(understand(kind, { ...finished[kind], message: "", phase: "  " })).toEqual(whole);
  });

  it("a field of another answer, or of none, is named", () => {
    const [name, value] = kind === "handoff" ? ["converged", true] : ["package", wholePackage];
    expect(problem(kind, { ...finished[kind], [name]: value })).toMatch(
      new RegExp(`^${name} is not a field of this answer`),
    );
    expect(problem(kind, { ...finished[kind], sumary: "x" })).toMatch(
      /^sumary is not a field of this answer/,
    );
    expect(problem(kind, { ...finished[kind], questions: [{ question: "?", why: "x" }] })).toMatch(
      /^questions\.0\.why is not a field/,
    );
  });

  it("what is wrong is told with its place, five things at most", () => {
    const questions = Array.from({ length: 9 }, () => ({ question: 7 }));
    const told = problem(kind, { status: "needs_input", questions }).split("; ");
    expect(told).toHaveLength(5);
    expect(told[0]).toMatch(/^questions\.0\.question: /);
  });

  it.each([[], [done], "completed", JSON.stringify(done), 7, true, null, undefined])(
    "%j is no answer",
    (value) => {
      expect(problem(kind, value)).toBe("the answer is no JSON object");
    },
  );
});

describe("a critic's answer with a wrong part", () => {
  it.each([
    ["severity", { findings: [{ ...p1, severity: "critical" }] }, /^findings\.0\.severity: /],
    ["line", { findings: [{ ...p1, line: 0 }] }, /^findings\.0\.line: /],
    ["title", { findings: [{ ...p1, title: " " }] }, /^findings\.0\.title is missing/],
    ["id", { answers: [{ id: "1", status: "fixed" }] }, /^answers\.0\.id: is not a finding id such as F1/],
    ["status of a finding", { answers: [{ id: "F1", status: "done" }] }, /^answers\.0\.status: /],
    ["empty entry", { checked: [null] }, /^checked\.0: /],
    ["list that is none", { findings: { ...p1 } }, /^findings: /],
  ])("is garbage: %s", (_what, part, words) => {
    expect(problem("findings", { ...finished.findings, ...part })).toMatch(words);
  });
});

describe("whatever a model says", () => {
  const meanings = ["claim", "asks", "failed", "unfinished", "garbage"];
  const kindOf = fc.constantFrom(...kinds);

  it("is understood or garbage with a reason, and never an exception", () => {
    fc.assert(
      fc.property(
        kindOf,
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (kind, value) => {
          const understood = understand(kind, value);
          expect(meanings).toContain(understood.kind);
          if (understood.kind === "garbage") expect(understood.problem).not.toBe("");
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("is garbage as soon as any field is something else", () => {
    const wholeOf = (kind: AnswerKind) => ({
      ...finished[kind],
      ...{ questions: [], message: "m", worker_id: "w" },
    });
    const field = fc.constantFrom("status", "questions", "message", "worker_id");
    const junk = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.array(fc.integer(), { minLength: 1 }),
      fc.dictionary(fc.string(), fc.integer()),
    );
    fc.assert(
      fc.property(kindOf, field, junk, (kind, key, value) => {
        expect(understand(kind, wholeOf(kind)).kind).toBe("claim");
        expect(understand(kind, { ...wholeOf(kind), [key]: value }).kind).toBe("garbage");
      }),
      { numRuns: 500 },
    );
  });

  it.each(["__proto__", "constructor", "prototype", "toString"])(
    "is garbage with a field called %s",
    (key) => {
      const value: unknown = JSON.parse(
        `{"status":"completed","summary":"s",${JSON.stringify(key)}:{"status":"error"}}`,
      );
      expect(understand("handoff", value).kind).toBe("garbage");
    },
  );

  it("may be nested as deep as it likes", () => {
    const depth = 100_000;
    const list: unknown = JSON.parse("[".repeat(depth) + "]".repeat(depth));
    const object: unknown = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    for (const deep of [list, object]) {
      for (const kind of kinds) expect(understand(kind, deep).kind).toBe("garbage");
      expect(understand("findings", { ...done, findings: deep }).kind).toBe("garbage");
      expect(understand("handoff", { ...done, extra: deep }).kind).toBe("garbage");
    }
  });

  it("may be long: what is too long for the record is garbage", () => {
    expect(understand("handoff", { ...done, summary: "s".repeat(16_000) }).kind).toBe("claim");
    expect(problem("handoff", { ...done, summary: "s".repeat(16_001) })).toMatch(/^summary: /);
    const questions = Array.from({ length: 21 }, () => ({ question: "?" }));
    expect(problem("handoff", { status: "needs_input", questions })).toMatch(/^questions: /);
  });
});
