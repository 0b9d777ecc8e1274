// Texts of ASCII are asked with expressions of their own, which must find what those for every script find.
import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseLetters, isAscii } from "../../../src/core/review/evidence/letters.ts";

const every = chooseLetters("ä");
const words = fc.constantFrom("and", "AND", "but", "While", "whereas", "band", "sand", "a1", "1and", "and2");
const ascii = fc
  .array(
    fc.oneof(
      words,
      fc.string({ unit: "binary-ascii", maxLength: 4 }),
      fc.constantFrom(" ", ", ", ". ", "&", "\n"),
    ),
  )
  .map((parts) => parts.join(""));

const findAll = (text: string, expression: RegExp) =>
  [...text.matchAll(expression)].map(({ 0: found, index }) => [index, found]);

test("the same letters, words, gaps and clauses", () => {
  fc.assert(
    fc.property(ascii, (text) => {
      const own = chooseLetters(text);
      expect(isAscii(text)).toBe(true);
      expect(own).not.toBe(every);
      for (const kind of ["each", "words", "others", "parting"] as const)
        expect(findAll(text, own[kind])).toEqual(findAll(text, every[kind]));
    }),
    { numRuns: 2000 },
  );
});

test("one letter of another script is enough for the classes of all", () => {
  for (const text of ["naïve", "漢字", "x\u0080", "🎉"]) expect(chooseLetters(text)).toBe(every);
  expect("é1 ü".match(every.each)).toEqual(["é", "1", "ü"]);
});
