// The shapes in which workflows print their verdicts: they are read as they stand, but for the choices that are left
// to the critic.
import { describe, expect, it } from "vitest";
import { parseReview, readReview } from "../../../src/core/review/dialect/read.ts";

const problems = (...given: Parameters<typeof readReview>) => {
  const parsed = readReview(...given);
  return parsed.ok ? `read as ${parsed.verdict.decision}` : parsed.problems.join("; ");
};

const decision = {
  task_id: "implement",
  reviewer_agent: "reviewer",
  coder_agent: "dev",
  iteration: 2,
  decision: "NO_GO",
  feedback: "Missing error handling in the authentication flow. Add try/catch around JWT validation.",
  quality_checks: {
    acceptance_criteria_met: true,
    code_standards_met: false,
    test_coverage_adequate: true,
    security_review_passed: true,
  },
  timestamp: "2026-02-27T11:30:00Z",
};

const status = {
  id: "review-20260227-113000",
  reviewer: "code-reviewer",
  model: "sonnet",
  status: "needs_changes",
  summary: "Review summary",
  scores: { security: 8, quality: 9, overall: 8 },
  findings: [
    {
      id: "F1",
      category: "security",
      severity: "high",
      title: "Missing input validation",
      recommendation: "Add validation",
    },
  ],
  blockers: ["Critical issues"],
  reviewed_at: "2026-02-27T11:30:00Z",
};

const verdict = {
  verdict: "approved",
  rejection_type: null,
  sop_review: [
    {
      sop_id: "source.doc.sops.error-handling",
      status: "passed",
      evidence: "Error wrapping uses fmt.Errorf with %w at lines 45, 67, 89",
      violations: [],
    },
    {
      sop_id: "source.doc.sops.test-coverage",
      status: "violated",
      evidence: "New function ProcessData has no test coverage",
      violations: ["Missing unit test for ProcessData"],
    },
  ],
  confidence: 0.85,
  feedback: "Overall implementation is solid but missing test coverage for ProcessData",
  patterns: [
    {
      name: "Context timeout in handlers",
      pattern: "All HTTP handlers use context.WithTimeout",
      applies_to: "handlers/*.go",
    },
  ],
};

describe("the decision of a formal review", () => {
  it("is read with all that is printed around it", () => {
    expect(readReview("decision", decision)).toEqual({
      ok: true,
      verdict: {
        dialect: "decision",
        decision: "revise",
        summary: decision.feedback,
        quality_checks: decision.quality_checks,
        sop_review: [],
        patterns: [],
        findings: [
          {
            severity: "P1",
            title: "quality check failed: code_standards_met",
            area: "quality",
            advice: decision.feedback,
          },
        ],
        answers: [],
        checked: [],
        questions: [],
        converged: false,
      },
    });
  });

  it("is read when it is only a word and feedback", () => {
    expect(parseReview("decision", '{ "decision": "GO", "feedback": "All criteria met." }')).toMatchObject({
      ok: true,
      verdict: { decision: "approve", summary: "All criteria met.", findings: [] },
    });
  });

  it("is refused as it stands in the prompt, before anything was filled in", () => {
    expect(problems("decision", { ...decision, decision: "NO_GO | GO" })).toMatch(
      /decision: "NO_GO \| GO" is copied from the prompt/,
    );
    expect(parseReview("decision", '{ "decision": "GO|NO_GO", "feedback": "..." }')).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.stringMatching(/^decision: .* copied/)]),
    });
    expect(problems("decision", { decision: "GO", feedback: "..." })).toMatch(/^feedback: "\.\.\."/);
  });
});

describe("the review of a pipeline", () => {
  it("is read with scores, findings and blockers", () => {
    const parsed = readReview("status", status);
    expect(parsed).toMatchObject({
      ok: true,
      verdict: { decision: "revise", summary: "Review summary", scores: status.scores },
    });
    expect(parsed.ok && parsed.verdict.findings).toEqual([
      { severity: "P1", title: "Missing input validation", area: "security", advice: "Add validation" },
      { severity: "P0", title: "Critical issues" },
    ]);
  });

  it("is refused as it stands in the prompt, before anything was filled in", () => {
    const printed = {
      ...status,
      reviewer: "plan-reviewer|code-reviewer",
      model: "sonnet|opus",
      status: "approved|needs_changes|needs_clarification",
      reviewed_at: "ISO8601",
    };
    const told = problems("status", printed);
    for (const field of ["reviewer", "model", "status", "reviewed_at"])
      expect(told).toMatch(new RegExp(`${field}: "[^"]*" is copied from the prompt`));
  });
});

describe("the verdict with SOPs", () => {
  it("is read as it is printed; whether the violated SOP forbids it, its severity says", () => {
    const parsed = readReview("verdict", verdict);
    expect(parsed).toMatchObject({
      ok: true,
      verdict: {
        decision: "approve",
        confidence: 0.85,
        sop_review: verdict.sop_review,
        patterns: verdict.patterns,
        findings: [
          {
            severity: "P1",
            area: "sop",
            title: "source.doc.sops.test-coverage: Missing unit test for ProcessData",
            evidence: "New function ProcessData has no test coverage",
          },
        ],
      },
    });
    expect(parsed.ok && "route" in parsed.verdict).toBe(false);
  });

  it.each(["fixable", "misscoped", "architectural", "too_big"])("rejected as %s leads there", (route) => {
    expect(readReview("verdict", { ...verdict, verdict: "rejected", rejection_type: route })).toMatchObject({
      ok: true,
      verdict: { decision: "revise", route },
    });
  });

  it.each(["out_of_scope", "Fixable", "unknown"])("rejected as %s leads to a human", (word) => {
    expect(readReview("verdict", { ...verdict, verdict: "rejected", rejection_type: word })).toMatchObject({
      ok: true,
      verdict: { decision: "revise", route: "unknown" },
    });
  });
});

describe("the word of a challenger", () => {
  it("is read as a session keeps it", () => {
    const kept = {
      iteration: 1,
      driver_output_summary: "Proposed microservices architecture with 4 services",
      challenger_critique: "Missing data consistency strategy across service boundaries",
      challenger_approved: false,
    };
    expect(readReview("challenge", kept)).toMatchObject({
      ok: true,
      verdict: {
        decision: "revise",
        summary: kept.challenger_critique,
        findings: [{ severity: "P1", title: kept.challenger_critique }],
      },
    });
  });

  it("is read when it is only the word and a critique", () => {
    expect(readReview("challenge", { challenger_approved: true, critique: "Ready to lock." })).toMatchObject({
      ok: true,
      verdict: { decision: "approve", findings: [] },
    });
  });
});

describe("findings", () => {
  it("are read under both names of the answers, and decide by what is open", () => {
    const answers = [{ id: "F1", status: "open", reason: "line 4 still says so" }];
    const said = { summary: "Looked again", findings: [] };
    const expected = { ok: true, verdict: { decision: "revise", answers, findings: [] } };
    expect(readReview("findings", { ...said, answers })).toMatchObject(expected);
    expect(readReview("findings", { ...said, prior_findings: answers })).toMatchObject(expected);
    expect(
      readReview("findings", { ...said, prior_findings: [{ id: "F1", status: "fixed" }] }),
    ).toMatchObject({ ok: true, verdict: { decision: "approve" } });
    expect(readReview("findings", { ...said, findings: [{ severity: "P2", title: "a nit" }] })).toMatchObject(
      { ok: true, verdict: { decision: "approve", findings: [{ severity: "P2" }] } },
    );
  });
});
