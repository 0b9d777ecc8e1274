// Nobody reads the words of the schema library: not an agent whose answer is refused, not a person whose file is.
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { payloads } from "../../../src/core/model/record/payloads.ts";
import { check } from "../../../src/core/model/value/validate.ts";
import { parseShape } from "../../../src/core/schema/problems.ts";

const libraryWords = /Invalid |Expected |[Rr]eceived/;

describe("what is wrong with a value", () => {
  it.each([
    [v.string(), 5, "must be text, not 5"],
    [v.picklist(["a", "b"]), "c", 'must be "a" or "b", not "c"'],
    [v.pipe(v.string(), v.maxLength(3)), "abcdef", "is too long: 6, and at most 3 are allowed"],
    [v.pipe(v.string(), v.minLength(1)), "", "must not be empty"],
    [v.pipe(v.string(), v.nonEmpty()), "", "must not be empty"],
    [v.pipe(v.array(v.string()), v.minLength(2)), [], "is too short: 0, and at least 2 are needed"],
    [v.pipe(v.number(), v.integer()), 1.5, "must be a whole number, not 1.5"],
    [v.pipe(v.number(), v.minValue(1)), 0, "must be at least 1, not 0"],
    [v.array(v.string()), {}, "must be a list, not a table"],
    [v.union([v.string(), v.number()]), true, "must be text or a number, not true"],
    [v.pipe(v.string(), v.regex(/^a/)), "b", 'must match /^a/, not "b"'],
    [
      v.pipe(
        v.string(),
        v.check(() => false, "must be said otherwise"),
      ),
      "b",
      "must be said otherwise",
    ],
    [v.pipe(v.string(), v.isoTimestamp()), "b", 'must be a time such as 2026-01-31T12:00:00.000Z, not "b"'],
  ] as const)("%#: in words", (schema, value, words) => {
    const result = check(schema as v.GenericSchema, value);
    expect(result.ok ? [] : result.issues.map(({ message }) => message)).toEqual([words]);
  });

  it("names a missing and an unknown field", () => {
    const result = parseShape(v.strictObject({ title: v.string() }), { titel: 1 });
    expect(result).toMatchObject({
      problems: ["title is missing", expect.stringMatching(/^titel is not a field of this answer.*title/)],
    });
  });

  it("is never said in the library's words, whatever is handed in to whatever form", () => {
    const value = fc.anything({ maxDepth: 3 });
    for (const schema of Object.values(payloads))
      fc.assert(
        fc.property(value, (given) => {
          const result = check(schema as v.GenericSchema, given);
          for (const { message } of result.ok ? [] : result.issues) expect(message).not.toMatch(libraryWords);
        }),
        { numRuns: 20 },
      );
  });
});
