// Figures over bubbles that have ended: what is kept of each, and what is counted over many.
import { describe, expect, it } from "vitest";
import { RunFacts } from "../../../../src/core/model/page/facts.ts";
import { check } from "../../../../src/core/model/value/validate.ts";
import { buildRunFacts } from "../../../../src/core/views/page/insights/facts.ts";
import { buildInsightsView, type RunWithRepo } from "../../../../src/core/views/page/insights/view.ts";
import { operator } from "../../../../src/testing/scenario-actors.ts";
import { p1, pair, readyForApproval, underReview } from "../../pair.ts";

const oneLoop = () =>
  underReview()
    .reviews({ findings: [{ ...p1, area: "Money" }], summary: "wrong total" })
    .implements("T2")
    .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] })
    .reviewerConverges()
    .handsOver()
    .packageWritten();

describe("the facts of a bubble", () => {
  it("are there when it has ended, and fit what is kept", () => {
    const done = oneLoop().approves().commits();
    expect(buildRunFacts(oneLoop().log)).toBeUndefined();
    const facts = buildRunFacts(done.log);
    expect(check(RunFacts, facts).ok).toBe(true);
    expect(facts).toMatchObject({
      end: "DONE",
      converged: true,
      rounds: 3,
      questions: {},
      findings: [{ severity: "P1", area: "Money", status: "fixed", disputed: false, by_human: false }],
      reviewers: [
        { agent: "alice", reviews: 1, clean: 1, refused: 0, tokens: null },
        { agent: "bob", reviews: 2, clean: 1, refused: 0 },
      ],
    });
  });

  it("count questions by kind, tokens of reviewers, and reviews that were refused", () => {
    const asked = pair().started().turnStarts().asks("Which total?").replies({ message: "two" }).stops();
    expect(buildRunFacts(asked.log)).toMatchObject({
      end: "CANCELLED",
      converged: false,
      questions: { agent: 1 },
    });
    const used = underReview().turnStarts().uses({ input: 900, output: 100 });
    const refused = used.after(used.tries(used.pass({}))).stops();
    expect(buildRunFacts(refused.log)?.reviewers).toMatchObject([
      { agent: "bob", reviews: 0, refused: 1, tokens: 1000 },
    ]);
  });

  it("say which findings a person made after the reviewers had none", () => {
    const back = readyForApproval()
      .does({
        type: "request-rework",
        actor: operator,
        message: "",
        reject: false,
        findings: [{ severity: "P3", title: "Name it" }],
      })
      .stops();
    expect(buildRunFacts(back.log)?.findings).toMatchObject([{ by_human: true, status: "open" }]);
  });
});

const run = (more: Partial<RunWithRepo> = {}): RunWithRepo => ({
  v: 1,
  repo: "shop",
  bubble: "one",
  workflow: "pair",
  end: "DONE",
  began_at: "2026-01-05T10:00:00.000Z",
  ended_at: "2026-01-05T10:10:00.000Z",
  rounds: 2,
  converged: true,
  questions: {},
  waited_ms: 0,
  worked_ms: 1000,
  tokens: null,
  usd: null,
  findings: [],
  reviewers: [],
  ...more,
});

const all = { days: null, repo: null, workflow: null };
const now = "2026-02-01T00:00:00.000Z";
const view = (runs: readonly RunWithRepo[], wish = {}) =>
  buildInsightsView(runs, { ...all, ...wish }, { now, cards: [] });
const rowsOf = (key: string, runs: readonly RunWithRepo[]) =>
  view(runs).tables.find((table) => table.key === key)?.rows;

describe("figures over many", () => {
  it("are of the time, the repository and the workflow that were asked for", () => {
    const runs = [
      run(),
      run({ bubble: "new", ended_at: "2026-01-31T10:00:00.000Z" }),
      run({ repo: "api", workflow: "review-loop" }),
    ];
    expect(view(runs).bubbles).toBe(3);
    expect(view(runs, { days: 7 }).bubbles).toBe(1);
    expect(view(runs, { repo: "api" }).bubbles).toBe(1);
    expect(view(runs, { workflow: "pair" })).toMatchObject({
      bubbles: 2,
      workflows: ["pair", "review-loop"],
    });
  });

  it("count rounds of those that came to be signed, with many rounds in one row", () => {
    const runs = [1, 2, 2, 9].map((rounds) => run({ rounds }));
    expect(rowsOf("rounds", [...runs, run({ rounds: 3, converged: false })])).toEqual([
      ["1", 1],
      ["2", 2],
      ["3", 0],
      ["4", 0],
      ["5", 0],
      ["6 or more", 1],
    ]);
  });

  it("unknown is no zero: medians are of what was told", () => {
    const figures = (runs: readonly RunWithRepo[]) =>
      Object.fromEntries(view(runs).figures.map(({ name, value }) => [name, value]));
    expect(figures([run(), run({ usd: 2 }), run({ usd: 1, questions: { agent: 2 } })])).toMatchObject({
      "asked a person": 1 / 3,
      "median time": 600_000,
      "median spent": 1,
      "spent in all": 3,
      "median tokens": null,
    });
    expect(figures([])).toMatchObject({ "asked a person": null, "median time": null });
  });

  it("put findings by area, the rarest of many into one row", () => {
    const fact = { severity: "P2", status: "fixed", disputed: true, upheld: true, by_human: false } as const;
    const findings = Array.from({ length: 12 }, (_, n) => ({ ...fact, area: `area ${n + 10}` }));
    const rows = rowsOf("areas", [run({ findings: [...findings, { ...fact, area: "AREA 21 " }] })]);
    expect(rows?.[0]).toEqual(["area 21", 2, 2, 0, 0, 0, 2, 2, 0]);
    expect(rows?.at(-1)?.slice(0, 2)).toEqual(["2 others", 2]);
  });

  it("have every week between the first and the last, from Monday on", () => {
    const runs = [
      run({ ended_at: "2026-01-04T23:59:00.000Z" }),
      run({ ended_at: "2026-01-12T00:00:00.000Z" }),
    ];
    expect(view(runs).weeks.rows.map(([week, bubbles, rounds]) => [week, bubbles, rounds])).toEqual([
      ["2025-12-29", 1, 2],
      ["2026-01-05", 0, null],
      ["2026-01-12", 1, 2],
    ]);
  });
});
