// The checks read what anybody wrote: they never fail, always end, name lines that exist, and say the same twice.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/document/check.ts";
import { parseBlocks } from "../../../src/core/document/markdown.ts";
import { parseMarkdownLines } from "../../../src/core/text/markdown.ts";

const scraps = [
  "## Scope",
  "## Requirements",
  "# Acceptance criteria",
  "**Out of scope**",
  "Rollout\n---",
  "\n",
  "\n\n",
  " ",
  "    ",
  "\t",
  "\r",
  "- ",
  "1. ",
  "- R1: ",
  "AC1 (R1)",
  "R1–R3",
  "R1-R999999",
  "R1.1.1",
  "fast",
  "as soon as possible",
  "etc.",
  "5 s",
  "timeout is 30 s",
  "< 5 %",
  "| a | b |",
  "|---|---|",
  "\\|",
  "```",
  "~~~",
  "`",
  "``",
  "<!--",
  "-->",
  "<b>",
  "<",
  ">",
  "> ",
  "[x](y)",
  "](",
  '"',
  "“",
  "”",
  "---",
  "***",
  "===",
  "\u2028",
  "\u0000",
  "\ud800",
  "😀",
  "ß",
  "no ",
  "without ",
  "...",
  ":",
  "(",
  ")",
  "[",
  "]",
  "_",
  "__",
  "**",
  "9".repeat(30),
  "TODO",
  "see NFR-2",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...scraps), fc.string({ maxLength: 8 })), { maxLength: 60 })
  .map((parts) => parts.join(""));

describe("any text", () => {
  it("gets problems on lines that exist, the same ones every time", () => {
    fc.assert(
      fc.property(text, (markdown) => {
        const results = checkDocument(markdown);
        const count = parseMarkdownLines(markdown).length;
        for (const { line, message, hint } of results.flatMap(({ problems }) => problems)) {
          expect(Number.isInteger(line) && line >= 1 && line <= count).toBe(true);
          expect(message.length > 0 && message.length < 400 && hint.length > 0).toBe(true);
        }
        expect(checkDocument(markdown)).toEqual(results);
      }),
      { numRuns: 1000 },
    );
  });

  it("has as many lines as it has line ends, and blocks in their order", () => {
    fc.assert(
      fc.property(text, (markdown) => {
        expect(parseMarkdownLines(markdown).length).toBe(markdown.split(/\r\n|\n|\r/).length);
        const starts = parseBlocks(markdown).map(({ line }) => line);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a large text", () => {
  const top = "## Scope\n- a\n## Requirements\n";
  it.each([
    ...scraps,
    "- R1: fast fast and easy\n",
    "a fast, easy b. ",
    "- AC1 (R1–R190): x\n",
    "| R1 | AC1 |\n|---|---|\n",
    "  - R1: nested\n",
    "session timeout is 30 s. ",
    "timeout ",
    "as ",
    "no a ",
    "<!-- ",
    "`` ` ",
    '" ',
    "- several (",
    "x: \n- ",
    "# # # ",
    "\n    code",
    "a | ",
  ])("of %j, over and over, takes no more than its length", (scrap) => {
    const markdown = top + scrap.repeat(Math.ceil(60_000 / scrap.length));
    const before = process.cpuUsage();
    checkDocument(markdown);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  });
});
