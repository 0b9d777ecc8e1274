// What holds for every text: no planted secret survives, nothing else changes, twice is once, and it does not take long.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedaction, redact } from "../../../src/core/redaction/redact.ts";
import { redactLeaves } from "../../../src/core/redaction/values.ts";
import { harmless, inContext, samples } from "../redaction-samples.ts";

const keys = Object.values(samples).flat();
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(...harmless),
  fc.constantFrom(...keys, ...inContext.map(({ kept, secret }) => kept + secret)),
);
const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((value) => value.trim().length >= 8);
const digit = fc.constantFrom(..."0123456789abcdef");
const hex = (length: number) =>
  fc.array(digit, { minLength: length, maxLength: length }).map((digits) => digits.join(""));
const word = fc.constantFrom(
  ..."the task risk disk total asked-for sk keys token bearer authorization private begin end npm eyes".split(
    " ",
  ),
);
const path = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => `src/${parts.join("/")}.ts:12`);
const ordinary = fc
  .array(fc.oneof(hex(40), hex(64), hex(16), fc.uuid(), word, path, fc.constantFrom(...harmless)), {
    maxLength: 20,
  })
  .map((parts) => parts.join(" "));

describe("redaction", () => {
  it("done twice changes nothing more", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(secret, { maxLength: 3 }), (parts, secrets) => {
        const { redact: clean } = createRedaction(secrets);
        const once = clean([...parts, ...secrets].join(""));
        expect(clean(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it("never lets a planted value through, raw or inside JSON", () => {
    fc.assert(
      fc.property(text, secret, text, (before, value, after) => {
        const { redact: clean } = createRedaction([value]);
        const planted = value.trim();
        fc.pre(!`[redacted:env]`.repeat(2).includes(planted));
        expect(clean(before + planted + after)).not.toContain(planted);
        const json = clean(JSON.stringify({ say: before + planted + after }));
        expect(json).not.toContain(JSON.stringify(planted).slice(1, -1));
      }),
      { numRuns: 1000 },
    );
  });

  it("never lets a well-known credential through, whatever stands around it", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...keys), text, (before, key, after) => {
        expect(redact(before + key + after)).not.toContain(key);
        expect(redact(JSON.stringify({ say: before + key + after }))).not.toContain(
          JSON.stringify(key).slice(1, -1),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it("never changes hashes, ids, paths and prose", () => {
    fc.assert(
      fc.property(ordinary, (usual) => {
        expect(redact(usual, ["a-value-of-some-variable-1"])).toBe(usual);
      }),
      { numRuns: 1000 },
    );
  });

  it("of a value keeps its form: only texts change, and what has no secret is the very same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), secret, (value, hidden) => {
        const { redact: clean } = createRedaction([hidden]);
        const shape = (one: unknown): unknown => {
          if (typeof one === "string") return "text";
          if (Array.isArray(one)) return one.map(shape);
          if (typeof one !== "object" || one === null) return one;
          return Object.entries(one).map(([key, inside]) => [key, shape(inside)]);
        };
        const planted = { value, list: [`${hidden} is planted`], count: 3 };
        expect(shape(redactLeaves(planted, clean))).toEqual(shape(planted));
        const empty = { value: 1, list: ["nothing here"] };
        expect(redactLeaves(empty, clean)).toBe(empty);
      }),
    );
  });

  it("takes no time to speak of, whatever is thrown at it", () => {
    const { redact: clean } = createRedaction(["a-value-of-some-variable-1", "another/secret+value=2"]);
    const nasty = [
      "sk-proj-",
      "eyJ",
      "-----BEGIN PRIVATE KEY-----",
      "xoxb-",
      "Authorization: Bearer a",
      ":t1.1:",
      "x-api-key: ",
    ];
    for (const part of nasty) {
      const long = part.repeat(Math.ceil(200_000 / part.length));
      const startedAt = performance.now();
      clean(long);
      expect(performance.now() - startedAt, part).toBeLessThan(5_000);
    }
  });
});
