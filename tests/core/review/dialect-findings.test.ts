// Which findings follow from a verdict that does not list them, and that nothing is listed twice.
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../src/core/model/review/verdict.ts";
import { readReview } from "../../../src/core/review/dialect/read.ts";

function read(dialect: Dialect, value: object) {
  const parsed = readReview(dialect, value);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.verdict;
}
const found = (dialect: Dialect, value: object) =>
  read(dialect, value).findings.map(({ severity, title }) => `${severity} ${title}`);

const judged = { verdict: "rejected", rejection_type: "fixable", sop_review: [], confidence: 0.9 };
const rejections: readonly (readonly [Dialect, object, string])[] = [
  ["decision", { decision: "NO_GO" }, "feedback"],
  ["status", { status: "needs_changes" }, "summary"],
  ["verdict", judged, "feedback"],
  ["challenge", { challenger_approved: false }, "critique"],
];

describe.each(rejections)("a rejection in the dialect %s", (dialect, said, words) => {
  it("without findings is one itself, P1, in the critic's words", () => {
    expect(found(dialect, { ...said, [words]: "The tax is wrong" })).toEqual(["P1 The tax is wrong"]);
  });

  it("keeps long words whole beside a title that fits", () => {
    const long = `First line\n${"and on ".repeat(100)}`.trim();
    const { findings, summary } = read(dialect, { ...said, [words]: long });
    expect(findings[0]?.title).toHaveLength(300);
    expect(findings[0]?.title).toMatch(/^First line and on .*…$/);
    expect(findings[0]?.advice).toBe(long);
    expect(summary).toBe(long);
    expect(read(dialect, { ...said, [words]: "x".repeat(16_000) }).findings[0]?.advice).toHaveLength(2000);
  });

  it("with a finding that blocks needs no other", () => {
    const severity = dialect === "status" ? "high" : "P1";
    const findings = [{ severity, title: "Tax twice" }];
    expect(found(dialect, { ...said, [words]: "See below", findings })).toEqual(["P1 Tax twice"]);
  });

  it("with small findings alone has these and no other: its word rejects", () => {
    const findings = [{ severity: "P3", title: "A name" }];
    const verdict = read(dialect, { ...said, [words]: "Not like this", findings });
    expect(verdict.findings.map(({ severity, title }) => `${severity} ${title}`)).toEqual(["P3 A name"]);
    expect(verdict.decision).toBe("revise");
  });

  it("that repeats a listed finding lists it once, as it was graded", () => {
    const findings = [{ severity: "P3", title: "not  like THIS", file: "src/cart.ts" }];
    expect(found(dialect, { ...said, [words]: "Not like this", findings })).toEqual(["P3 not  like THIS"]);
  });

  it("with a finding that is still open needs no other", () => {
    const prior_findings = [{ id: "F2", status: "open" }];
    const verdict = read(dialect, { ...said, [words]: "F2 is still there", prior_findings });
    expect(verdict.findings).toEqual([]);
    expect(verdict.answers).toEqual(prior_findings);
    expect(verdict.decision).toBe("revise");
  });

  it("with a violated SOP has the SOP's finding", () => {
    const entry = {
      sop_id: "s.tests",
      status: "violated",
      evidence: "src/cart.ts:3",
      violations: ["a", "b"],
    };
    const verdict = read(dialect, { ...said, [words]: "A rule is broken", sop_review: [entry] });
    expect(verdict.findings).toEqual([
      { severity: "P1", title: "s.tests: a; b", area: "sop", evidence: "src/cart.ts:3" },
    ]);
  });
});

describe("a failed quality check", () => {
  it("is a finding each, beside those that are listed", () => {
    const said = {
      ...{ decision: "NO_GO", feedback: "Two checks failed" },
      quality_checks: { tests: false, security: false, style: true },
      findings: [{ severity: "P2", title: "Quality check failed: tests" }],
    };
    expect(found("decision", said)).toEqual([
      "P1 Quality check failed: tests",
      "P1 quality check failed: security",
    ]);
  });
});

describe("what a listed finding that blocks stands for", () => {
  const grave = { severity: "P1", title: "Missing unit test for ProcessData" };

  it("is not listed again as a failed check", () => {
    const said = { decision: "NO_GO", feedback: "No", quality_checks: { test_coverage: false } };
    const named = { ...grave, title: "Test coverage is too low" };
    expect(found("decision", { ...said, findings: [named] })).toEqual(["P1 Test coverage is too low"]);
    expect(found("decision", { ...said, findings: [{ ...named, severity: "P2" }] })).toHaveLength(2);
  });

  it("is not listed again as a violated SOP", () => {
    const entry = { sop_id: "s.tests", status: "violated", evidence: "no test", violations: [grave.title] };
    const said = { ...judged, feedback: "A rule is broken", sop_review: [entry] };
    expect(found("verdict", { ...said, findings: [grave] })).toEqual([`P1 ${grave.title}`]);
    expect(found("verdict", { ...said, findings: [{ ...grave, title: "x", area: "s.tests" }] })).toHaveLength(
      1,
    );
    expect(found("verdict", { ...said, findings: [{ ...grave, severity: "P3" }] })).toEqual([
      `P3 ${grave.title}`,
      `P1 s.tests: ${grave.title}`,
    ]);
  });
});

describe("a blocker", () => {
  const finding = { id: "F1", severity: "medium", title: "The till is open" };
  const said = (blockers: string[]) => ({
    status: "needs_changes",
    summary: "No",
    findings: [finding],
    blockers,
  });

  it("is a P0 of its own", () => {
    expect(found("status", said(["Money is lost"]))).toEqual(["P2 The till is open", "P0 Money is lost"]);
  });

  it.each(["F1", "f1", "The till is open", "the till is OPEN", "F1: the till", "F1 – see above"])(
    "that is a listed finding makes that one P0: %s",
    (blocker) => {
      expect(found("status", said([blocker]))).toEqual(["P0 The till is open"]);
    },
  );

  it("is not mistaken for a finding whose id only begins like it", () => {
    expect(found("status", said(["F12 is new"]))).toEqual(["P2 The till is open", "P0 F12 is new"]);
  });
});

describe("the words of severity in the dialect status", () => {
  it.each([
    ["critical", "P0"],
    ["high", "P1"],
    ["medium", "P2"],
    ["low", "P3"],
    ["P0", "P0"],
    ["P3", "P3"],
  ])("%s is %s", (severity, grade) => {
    const said = { status: "needs_changes", summary: "s", findings: [{ severity, title: "t" }] };
    expect(read("status", said).findings[0]).toMatchObject({ severity: grade, title: "t" });
  });
});

describe("an approval", () => {
  it("keeps its small findings, and adds none", () => {
    const said = { decision: "GO", feedback: "Fine", findings: [{ severity: "P3", title: "A name" }] };
    expect(found("decision", said)).toEqual(["P3 A name"]);
    expect(read("decision", said).decision).toBe("approve");
  });

  it("carries what it looked at, the tree and its confidence", () => {
    const checked = [{ for: ["C1"], file: "src/cart.ts", line: 3, quote: "let sum", why: "starts at zero" }];
    expect(
      read("challenge", { challenger_approved: true, critique: "Fine", checked, tree: "abc", confidence: 0 }),
    ).toMatchObject({ checked, tree: "abc", confidence: 0 });
  });
});
