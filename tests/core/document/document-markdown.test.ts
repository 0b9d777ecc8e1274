// The reader of documents: blocks with the lines they stand on.
import { expect, it } from "vitest";
import { blankLinksAndTags, blankNonProse, getProse } from "../../../src/core/document/inline.ts";
import { parseBlocks } from "../../../src/core/document/markdown.ts";
import { parseMarkdownLines } from "../../../src/core/text/markdown.ts";

/** "line kind text" of each block. */
const read = (text: string) =>
  parseBlocks(text).map((block) => {
    const what =
      block.kind === "item"
        ? `item${block.depth}`
        : block.kind === "heading"
          ? `h${block.level}`
          : block.kind;
    return `${block.line} ${what} ${getProse(block).text.replaceAll("\n", "/")}`;
  });

it.each([
  ["headings", "# A\n## B ##\n  ### C\nD\n==\n", ["1 h1 A", "2 h2 B", "3 h3 C", "4 h1 D"]],
  ["items that run on", "- a\n  b\nc\n- d", ["1 item0 a/b/c", "4 item0 d"]],
  ["paragraphs of an item", "- a\n\n  b\n\nc", ["1 item0 a/b", "5 paragraph c"]],
  [
    "nested items",
    "- a\n  - b\n    1. c\n- d\n\t- e",
    ["1 item0 a", "2 item1 b", "3 item2 c", "4 item0 d", "5 item1 e"],
  ],
  ["items of little indent", "1. a\n  - b", ["1 item0 a", "2 item1 b"]],
  ["paragraphs", "a\nb\n\nc", ["1 paragraph a/b", "4 paragraph c"]],
  ["tables", "| a | b |\n|---|:-:|\n| c \\| d | e |\nf", ["1 row a | b", "3 row c | d | e", "4 paragraph f"]],
  ["tables without outer bars", "a | b\n--- | ---\nc | d", ["1 row a | b", "3 row c | d"]],
  ["bars without a table", "a | b\nc", ["1 paragraph a | b/c"]],
  ["quotations", "> a\n> b\n\nc", ["1 quote a/b", "4 paragraph c"]],
  ["code", "```x\n# a\n```\nb", ["1 code ```x/# a/```", "4 paragraph b"]],
  ["code of more marks", "````\n```\n````\nb", ["1 code ````/```/````", "4 paragraph b"]],
  ["indented code", "a\n\n    # b\n\nc", ["1 paragraph a", "3 code     # b", "5 paragraph c"]],
  ["code in a line is no block", "```a``` b\n# C", ["1 paragraph ```a``` b", "2 h1 C"]],
  ["comments", "a <!-- b --> c\n<!--\n# d\n-->\n# E", ["1 paragraph a  c", "5 h1 E"]],
  ["a comment that never ends", "a\n<!-- b\n# c", ["1 paragraph a"]],
  ["a comment sign in the middle", "a <!-- b\n# C", ["1 paragraph a <!-- b", "2 h1 C"]],
  ["bold lines", "**A**\n\n__B__:\n\n**a** b", ["1 h7 A", "3 h7 B", "5 paragraph **a** b"]],
  ["rules", "a\n\n---\n\n- b\n\n***\nc", ["1 paragraph a", "5 item0 b", "8 paragraph c"]],
  ["front matter", "---\na: b\n---\n# C", ["1 code //", "4 h1 C"]],
  ["a rule at the top", "---\n# C\n---\nd", ["2 h1 C", "4 paragraph d"]],
  ["old line ends", "# A\rb\r\nc", ["1 h1 A", "2 paragraph b/c"]],
])("%s", (_what, text, blocks) => expect(read(text)).toEqual(blocks));

it("lines keep their numbers, whatever is taken out of them", () => {
  expect(parseMarkdownLines("a\n<!-- b\nc --> d\n")).toEqual([
    { number: 1, text: "a", shown: "a", level: 0, code: false },
    { number: 2, text: "", shown: "", level: 0, code: false },
    { number: 3, text: " d", shown: " d", level: 0, code: false },
    { number: 4, text: "", shown: "", level: 0, code: false },
  ]);
});

it("what is not the author's own words is blanked, letter for letter", () => {
  expect(blankNonProse('a `b` "c" [d](e) <f> https://g h')).toBe("a         [d]                  h");
  expect(blankNonProse('15" and “b” c').length).toBe(13);
  expect(blankNonProse('a 15" screen')).toBe('a 15" screen');
  expect(blankLinksAndTags('a "b" [c](d)')).toBe('a "b" [c]   ');
  expect(blankNonProse("a < b and ` c")).toBe("a < b and ` c");
});

it("a place of a passage leads back to its line", () => {
  const [block] = parseBlocks("- ab\n  cd\n  ef");
  const prose = getProse(block ?? { kind: "paragraph", line: 0, pieces: [] });
  expect([0, 2, 3, 5, 6, 99].map((place) => prose.lineAt(place))).toEqual([1, 1, 2, 2, 3, 3]);
});
