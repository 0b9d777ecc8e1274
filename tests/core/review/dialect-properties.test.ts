// Whatever a model says: it is a verdict or it is refused with reasons, and nothing becomes an approval by chance.
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { understand } from "../../../src/core/answer/answer.ts";
import { Answer, CheckedEvidence, NewFinding } from "../../../src/core/model/review/finding.ts";
import { dialects, Opinion } from "../../../src/core/model/review/verdict.ts";
import { parseReview, readReview } from "../../../src/core/review/dialect/read.ts";
import { honest } from "../dialect-honest.ts";

const dialect = fc.constantFrom(...dialects);
const names = [
  ...["decision", "verdict", "status", "challenger_approved", "feedback", "summary", "critique", "findings"],
  ...[
    "sop_review",
    "confidence",
    "checked",
    "tree",
    "prior_findings",
    "questions",
    "quality_checks",
    "blockers",
  ],
  ...["rejection_type", "scores", "converged", "answers", "patterns", "message", "__proto__", "x"],
];
/** Everything but the words that approve. */
const anything = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.constantFrom(
    "NO_GO",
    "rejected",
    "needs_changes",
    "go",
    "Approved",
    "LGTM",
    "...",
    "",
    null,
    false,
    [],
    {},
  ),
  fc.array(fc.record({ severity: fc.constantFrom("P0", "P1", "P5"), title: fc.string() }), { maxLength: 2 }),
);
const nearlyReview = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 10 });

describe("whatever a model says", () => {
  it("is a verdict or is refused with reasons, and never an exception", () => {
    fc.assert(
      fc.property(dialect, fc.oneof(nearlyReview, fc.anything()), (name, value) => {
        const parsed = readReview(name, value);
        if (!parsed.ok) expect(parsed.problems.length).toBeGreaterThan(0);
        expect(["claim", "asks", "failed", "unfinished", "garbage"]).toContain(understand(name, value).kind);
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not approve without the dialect's own word", () => {
    const deciding = dialects.filter((name) => name !== "findings");
    fc.assert(
      fc.property(fc.constantFrom(...deciding), nearlyReview, (name, value) => {
        fc.pre(value.challenger_approved !== true);
        const parsed = readReview(name, value);
        expect(parsed.ok && parsed.verdict.decision).not.toBe("approve");
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not approve as text, unless it was built to", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      nearlyReview.map((value) => safeText(value)),
    );
    fc.assert(
      fc.property(dialect, text, (name, said) => {
        const parsed = parseReview(name, said);
        if (parsed.ok && parsed.verdict.decision === "approve")
          expect(said).toMatch(name === "findings" ? /"findings"|"converged"/ : /true/);
      }),
      { numRuns: 1_000 },
    );
  });
});

function safeText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "no JSON";
  }
}

describe("an honest answer", () => {
  const sample = fc.constantFrom(...honest);

  it("with one character struck out or put in never turns from a rejection into an approval", () => {
    const rejecting = honest.filter(
      ({ decision, dialect: name }) => decision === "revise" && name !== "findings",
    );
    const change = fc.record({
      at: fc.nat(),
      put: fc.constantFrom("", '"', "{", "}", ",", "\\", "0", " ", "e"),
    });
    fc.assert(
      fc.property(fc.constantFrom(...rejecting), change, ({ dialect: name, text }, { at, put }) => {
        const place = at % text.length;
        const parsed = parseReview(name, text.slice(0, place) + put + text.slice(place + 1));
        expect(parsed.ok && parsed.verdict.decision).not.toBe("approve");
      }),
      { numRuns: 1_000 },
    );
  });

  it("broken off anywhere is no verdict", () => {
    fc.assert(
      fc.property(sample, fc.nat(), ({ dialect: name, text }, cut) => {
        const whole = text.trim();
        expect(parseReview(name, whole.slice(0, cut % whole.length)).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("becomes values that the record takes", () => {
    for (const { dialect: name, text } of honest) {
      const parsed = parseReview(name, text);
      if (!parsed.ok) throw new Error(parsed.problems.join("; "));
      const { findings, answers, checked, questions, summary, converged, ...opinion } = parsed.verdict;
      expect(v.is(Opinion, opinion)).toBe(true);
      expect(findings.every((finding) => v.is(NewFinding, finding))).toBe(true);
      expect(answers.every((answer) => v.is(Answer, answer))).toBe(true);
      expect(checked.every((entry) => v.is(CheckedEvidence, entry))).toBe(true);
      expect([typeof summary, typeof converged, Array.isArray(questions)]).toEqual([
        "string",
        "boolean",
        true,
      ]);
    }
  });

  it("means the same as the final answer of a turn", () => {
    for (const { dialect: name, text, decision } of honest) {
      const understood = understand(name, JSON.parse(text));
      if (decision === "clarify") expect(understood.kind).toBe("asks");
      else
        expect(understood).toMatchObject({ kind: "claim", claim: { opinion: { dialect: name, decision } } });
    }
  });
});
