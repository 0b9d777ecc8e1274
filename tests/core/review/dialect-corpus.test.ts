// Two heaps of answers: honest ones, of which none is refused, and bad ones, of which none counts as a verdict.
import { describe, expect, it } from "vitest";
import { dialects } from "../../../src/core/model/review/verdict.ts";
import { parseReview } from "../../../src/core/review/dialect/read.ts";
import { bad } from "../dialect-bad.ts";
import { cartCriteria, cartFile, cartText, TREE } from "../dialect-cart.ts";
import { honest } from "../dialect-honest.ts";

const lines = cartText.split("\n");

/** Every object inside that cites a place. */
function cited(value: unknown): { file: string; line?: number; quote?: string; evidence?: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(cited);
  return "file" in value && value.file ? [value as ReturnType<typeof cited>[number], ...inside] : inside;
}

describe("honest answers", () => {
  it("are at least sixty in every dialect, each under its own name", () => {
    for (const dialect of dialects)
      expect(honest.filter((sample) => sample.dialect === dialect).length).toBeGreaterThanOrEqual(60);
    expect(new Set(honest.map(({ name, dialect }) => `${dialect} ${name}`)).size).toBe(honest.length);
    expect(new Set(honest.map(({ text }) => text)).size).toBe(honest.length);
  });

  it.each(honest.map((sample) => [sample.dialect, sample.name, sample] as const))(
    "are read: %s, %s",
    (dialect, _name, { text, decision }) => {
      const parsed = parseReview(dialect, text);
      expect(parsed).toMatchObject({ ok: true, verdict: { dialect, decision, tree: TREE } });
      if (parsed.ok && decision === "revise")
        expect(parsed.verdict.findings.some(({ severity }) => severity < "P2")).toBe(true);
    },
  );

  it("cite only what stands in the cart", () => {
    const all = honest.flatMap(({ text }) => cited(JSON.parse(text)));
    expect(all.length).toBeGreaterThan(500);
    for (const { file, line, quote, evidence } of all) {
      expect(file).toBe(cartFile);
      const there = line ? (lines[line - 1] ?? "") : cartText;
      if (quote) expect(there).toContain(quote);
      if (evidence) expect(there).toContain(evidence);
    }
  });

  it("cover every criterion when they approve", () => {
    for (const { text, decision, name } of honest.filter((sample) => sample.decision === "approve")) {
      const { checked } = JSON.parse(text) as { checked: { for?: string[] }[] };
      const named = new Set(checked.flatMap((entry) => entry.for ?? []));
      expect([...named].sort(), `${name} ${decision}`).toEqual(cartCriteria.map((_, i) => `C${i + 1}`));
    }
  });
});

describe("bad answers", () => {
  it("are at least two hundred and fifty, each under its own name", () => {
    expect(bad.length).toBeGreaterThanOrEqual(250);
    expect(new Set(bad.map(({ name, dialect }) => `${dialect} ${name}`)).size).toBe(bad.length);
  });

  it.each(bad.map((sample) => [sample.dialect, sample.name, sample] as const))(
    "are refused with the reason: %s, %s",
    (dialect, _name, { text, reason }) => {
      const parsed = parseReview(dialect, text);
      expect(parsed.ok ? `read as ${parsed.verdict.decision}` : parsed.problems.join("; ")).toMatch(reason);
      expect(parsed.ok).toBe(false);
    },
  );
});
