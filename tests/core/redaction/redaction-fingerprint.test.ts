// A secret that another process knows: recognised by its fingerprint, which does not tell it.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computeFingerprint,
  type Fingerprint,
  findFingerprinted,
} from "../../../src/core/redaction/fingerprint.ts";
import { createRedaction } from "../../../src/core/redaction/redact.ts";
import { some } from "../redaction-samples.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const how = { salt: "/home/person/shop", sha256 };
const printsOf = (...values: string[]): Fingerprint[] =>
  values.flatMap((value) => computeFingerprint(value, how) ?? []);
const redacting = (prints: readonly Fingerprint[]) =>
  createRedaction([], (text) => findFingerprinted(text, { ...how, prints })).redact;

describe("a fingerprint", () => {
  it("finds its value anywhere, also at both ends of a text", () => {
    const clean = redacting(printsOf(some(20), `longer-${some(30)}`));
    expect(clean(some(20))).toBe("[redacted:env]");
    expect(clean(`x${some(20)}y longer-${some(30)}`)).toBe("x[redacted:env]y [redacted:env]");
  });

  it("finds nothing in a text that only begins like its value", () => {
    const text = `${some(19)}! ${some(16)}`;
    expect(redacting(printsOf(some(20)))(text)).toBe(text);
  });

  it("finds every planted value, whatever stands around it", () => {
    const anything = fc.string({ unit: "binary", maxLength: 60 });
    const value = fc.string({ unit: "binary", minLength: 16, maxLength: 60 });
    fc.assert(
      fc.property(anything, value, value, anything, (before, one, other, after) => {
        const spans = findFingerprinted(before + one + after, { ...how, prints: printsOf(one, other) });
        expect(spans).toContainEqual({ from: before.length, to: before.length + one.length, kind: "env" });
      }),
      { numRuns: 500 },
    );
  });

  it("is made of no value that could be guessed from it", () => {
    expect(computeFingerprint(some(15), how)).toBeUndefined();
  });

  it("tells nothing of the value, and is another one elsewhere", () => {
    const here = computeFingerprint(some(20), how);
    const there = computeFingerprint(some(20), { ...how, salt: "/home/person/other" });
    expect(JSON.stringify(here)).not.toContain(some(20).slice(0, 4));
    expect(here?.head).not.toBe(there?.head);
    expect(here?.check).not.toBe(there?.check);
  });
});
