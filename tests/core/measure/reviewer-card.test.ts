// How a review is judged against a planted defect, and what a card makes of many.
import { describe, expect, it } from "vitest";
import { type Card, describeCard, estimateShare, tally } from "../../../src/core/measure/card.ts";
import {
  buildCases,
  type Case,
  findDefectLines,
  type MeasuredChange,
  selectCases,
} from "../../../src/core/measure/case.ts";
import { judgeReview, type MeasuredCase } from "../../../src/core/measure/judge.ts";
import type { NewFinding } from "../../../src/core/model/review/finding.ts";

const source =
  "// sums\nexport function sum(list) {\n  let all = 0;\n  for (let i = 0; i < list.length; i++) all += list[i];\n  return all;\n}\n";
const change: MeasuredChange = {
  name: "sums",
  class: "off-by-one",
  title: "Sums",
  task: "Add sum(list)",
  after: { "src/sum.js": `${"//\n".repeat(10)}${source}`, "test/sum.test.js": "" },
  mutations: [
    {
      id: "last",
      file: "src/sum.js",
      find: "i < list.length",
      replace: "i < list.length - 1",
      wrong: "The last one is left out.",
      also: [],
      probe: "0",
    },
  ],
};
const [control, planted] = buildCases(change) as [Case, Case];

describe("where a defect stands", () => {
  it("on the lines that differ from the change as it should be", () => {
    expect(findDefectLines("a\nb\nc\nd\n", "a\nB\nX\nd\n")).toEqual([2, 3]);
  });

  it("on both sides of a gap", () => {
    expect(findDefectLines("a\nb\nc\n", "a\nc\n")).toEqual([1, 2]);
    expect(findDefectLines("a\nb\n", "b\n")).toEqual([1]);
  });

  it("also on lines a case names", () => {
    expect(findDefectLines("head()\n1\n2\n3\n", "head()\n1\n2\nx\n", ["head("])).toEqual([1, 4]);
  });

  it("is computed for each case, and a control has none", () => {
    expect(control.defect).toBeUndefined();
    expect(planted).toMatchObject({ id: "sums/last", defect: { file: "src/sum.js", lines: [14] } });
    expect(planted.files["src/sum.js"]).toContain("list.length - 1");
  });

  it("a mutation whose text stands twice, or not at all, is a mistake in the set", () => {
    const odd = (find: string) => ({ ...change, mutations: [{ ...change.mutations[0]!, find }] });
    expect(() => buildCases(odd("list"))).toThrow("sums/last: what it replaces stands 3 times in src/sum.js");
    expect(() => buildCases(odd("nowhere"))).toThrow("stands 0 times");
  });
});

describe("a review of a change with a defect", () => {
  const judged = (finding: Partial<NewFinding>) =>
    judgeReview(planted, {
      valid: true,
      findings: [{ severity: "P1", title: "The last item", file: "src/sum.js", ...finding }],
    }).judgement;

  it.each([11, 14, 17])("catches it by naming its file and line %i, at most three lines away", (line) => {
    expect(judged({ line })).toBe("caught");
  });

  it("misses it from farther away, in another file, or without any place", () => {
    expect(judged({ line: 18 })).toBe("missed");
    expect(judged({ line: 10 })).toBe("missed");
    expect(judged({ line: 14, file: "src/other.js" })).toBe("missed");
    expect(judged({})).toBe("missed");
  });

  it("catches it by quoting what stands there, however it is spaced", () => {
    expect(
      judged({ evidence: "`for (let i = 0; i < list.length - 1; i++)  all += list[i];` stops early" }),
    ).toBe("caught");
    expect(judged({ evidence: "i < list.length - 1" })).toBe("caught");
  });

  it("does not catch it with a quote that stands everywhere, or of another line", () => {
    expect(judged({ evidence: "list" })).toBe("missed");
    expect(judged({ evidence: "export function sum(list) {" })).toBe("missed");
  });

  it("catches nothing with a matter of taste", () => {
    expect(judged({ severity: "P2", line: 14 })).toBe("caught");
    expect(judged({ severity: "P3", line: 14 })).toBe("missed");
  });

  it("a path from the root of the disk names the file too, a name that only ends alike does not", () => {
    expect(judged({ file: "/tmp/x/src/sum.js", line: 14 })).toBe("caught");
    expect(judged({ file: "not-src/sum.js", line: 14 })).toBe("missed");
  });
});

describe("a review of a clean change", () => {
  const judged = (severity: NewFinding["severity"]) =>
    judgeReview(control, { valid: true, findings: [{ severity, title: "Hm", file: "src/sum.js", line: 1 }] });

  it("is a false alarm when it would send the change back", () => {
    expect(judged("P0").judgement).toBe("false-alarm");
    expect(judged("P1")).toEqual({ judgement: "false-alarm", says: "P1 Hm @ src/sum.js:1" });
    expect(judged("P2").judgement).toBe("clean");
  });

  it("that is not valid is neither", () => {
    expect(judgeReview(control, { valid: false, why: "no evidence" })).toEqual({
      judgement: "invalid",
      says: "no evidence",
    });
  });
});

const head = {
  agent: "claude",
  adapter: "claude",
  model: null,
  at: "2026-11-16T08:00:00.000Z",
  cases: "abc",
  whole: true,
  runs: 1,
};
const one = (judgement: MeasuredCase["judgement"], more: Partial<MeasuredCase> = {}): MeasuredCase => ({
  case: "sums/last",
  class: "race",
  planted: true,
  judgement,
  says: "",
  seconds: 1,
  ...more,
});

describe("a card", () => {
  it("counts by class and in all; a review that is not valid is in no other count", () => {
    const card = tally(head, [
      one("caught"),
      one("missed", { class: "injection" }),
      one("clean"),
      one("false-alarm", { class: "injection" }),
      one("invalid"),
    ]);
    expect(card).toMatchObject({ planted: 2, caught: 1, controls: 2, false_alarms: 1, invalid: 1 });
    expect(card.classes).toEqual({
      race: { planted: 1, caught: 1, controls: 1, false_alarms: 0, invalid: 1 },
      injection: { planted: 1, caught: 0, controls: 1, false_alarms: 1, invalid: 0 },
    });
  });

  it("adds up what the reviews used, and says how many reported nothing", () => {
    const card = tally(head, [
      one("caught", { usage: { input: 10, output: 2, usd: 0.5 } }),
      one("caught", { usage: { input: 5, output: 1 } }),
      one("caught"),
    ]);
    expect(card.usage).toEqual({ input: 15, output: 3, usd: 0.5 });
    expect(card.unmetered).toBe(1);
    expect(tally(head, [one("caught")]).usage).toBeNull();
  });

  it("has a line for the place where a reviewer is chosen", () => {
    const card = (counts: Partial<Card>) => describeCard({ ...tally(head, []), ...counts });
    expect(card({ planted: 20, caught: 17, controls: 6, false_alarms: 1 })).toBe(
      "caught 17 of 20 planted defects, 1 false alarm in 6 clean changes · 2026-11-16",
    );
    expect(card({ planted: 1, caught: 0, controls: 1, false_alarms: 0, invalid: 2 })).toBe(
      "caught 0 of 1 planted defect, no false alarm in 1 clean change, 2 reviews not valid · 2026-11-16",
    );
    expect(card({})).toBe("nothing was measured · 2026-11-16");
  });
});

it("the likely share of few tries is wide, and of none is everything", () => {
  const rounded = ({ low, high }: { low: number; high: number }) => [low.toFixed(3), high.toFixed(3)];
  expect(rounded(estimateShare(4, 4))).toEqual(["0.510", "1.000"]);
  expect(rounded(estimateShare(17, 20))).toEqual(["0.640", "0.948"]);
  expect(estimateShare(0, 0)).toEqual({ low: 0, high: 1 });
});

it("cases are chosen by id, by change and by class", () => {
  const cases = [
    control,
    planted,
    { ...control, id: "other/clean", change: "other", class: "race" as const },
  ];
  const ids = (wish: { ids?: string[]; classes?: string[] }) =>
    selectCases(cases, { ids: [], classes: [], ...wish }).map(({ id }) => id);
  expect(ids({})).toHaveLength(3);
  expect(ids({ ids: ["sums/last"] })).toEqual(["sums/last"]);
  expect(ids({ ids: ["sums"] })).toEqual(["sums/clean", "sums/last"]);
  expect(ids({ classes: ["race"] })).toEqual(["other/clean"]);
  expect(ids({ ids: ["sums"], classes: ["race"] })).toEqual([]);
});
