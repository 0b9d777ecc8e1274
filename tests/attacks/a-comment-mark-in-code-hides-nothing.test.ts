// A project's rules are told section by section. A mark that only looks like the beginning of a comment must not make a
// section disappear, and one that really is never closed is told with its line instead of hiding the rest.
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseConstitution } from "../../src/core/knowledge/constitution.ts";
import { splitSections } from "../../src/core/knowledge/markdown/sections.ts";
import { findUnclosedBlock, parseMarkdownLines } from "../../src/core/text/markdown.ts";
import { rig } from "../acceptance/rig.ts";

const names = (text: string) => parseConstitution("a/constitution.md", text).sections.map(({ name }) => name);
const rest = "\n## Rules\nr\n\n## Standards\ns <!-- for people --> t\n";

describe("`<!--` is text", () => {
  it.each([
    ["in a fenced code block", "## Purpose\n```html\n<!-- head\n```\n"],
    ["in one of tildes", "## Purpose\n~~~\n<!--\n~~~\n"],
    ["in code by indent", "## Purpose\nSuch as:\n\n    <!-- head\n    <p>\n"],
    ["in code within a line", "## Purpose\nWrite `<!--` before it.\n"],
    [
      "in the middle of a sentence that never closes it",
      "## Purpose\nA comment begins with <!-- and so on.\n",
    ],
    ["in a heading that never closes it", "## Purpose <!--\nwords\n"],
  ])("%s", (_, text) => {
    const found = names(text + rest);
    expect(found.slice(-2)).toEqual(["Rules", "Standards"]);
    expect(found).toHaveLength(3);
    expect(
      splitSections(text + rest)
        .map(({ text: words }) => words)
        .join("\n"),
    ).not.toContain("for people");
    expect(findUnclosedBlock(text + rest)).toBeUndefined();
  });

  it("a comment over several lines is hidden all the same, with what looks like code in it", () => {
    expect(names("## Rules\na\n<!--\n```\n## Standards\n-->\nb\n## Purpose\nc\n")).toEqual([
      "Rules",
      "Purpose",
    ]);
    expect(names("## Rules\na <!-- b\nc --> d\n## Purpose\ne\n")).toEqual(["Rules", "Purpose"]);
  });

  it("in a list, what is indented is no code", () => {
    const text = "- a\n\n    <!-- hidden -->\n    b\n";
    expect(
      parseMarkdownLines(text)
        .map(({ shown }) => shown.trim())
        .filter(Boolean),
    ).toEqual(["- a", "b"]);
  });
});

describe("what is never closed", () => {
  it.each([
    ["## Rules\n\n<!-- oh\n## Standards\ns\n", { line: 3, what: "comment" }],
    ["a\n```js\n## Standards\n", { line: 2, what: "code block" }],
    ["<!-- a -->\n<!-- b\n", { line: 2, what: "comment" }],
  ])("%j is found", (text, found) => {
    expect(findUnclosedBlock(text)).toEqual(found);
  });

  it("is the only way that a heading outside of comments and code is lost", () => {
    const part = fc.constantFrom(
      ...[
        "words\n",
        "\n",
        "`<!--` code\n",
        "a <!-- b\n",
        "    <!-- far\n",
        "```\n<!--\n```\n",
        "<!-- x -->\n",
        "- <!-- item\n",
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = `${parts.join("")}\n\n## Standards\ns\n`;
        expect(findUnclosedBlock(text)).toBeUndefined();
        expect(splitSections(text).at(-1)).toMatchObject({ name: "Standards", text: "s" });
      }),
      { numRuns: 300 },
    );
  });
});

describe("a bubble", () => {
  const tool = rig();
  afterAll(() => tool.close());
  const create = (task: string) =>
    tool.run("bubble", "create", "--id", "b1", "--task", task, "--test", "true");

  it("is not made while a constitution, an SOP or its task hides its own end", async () => {
    tool.write(".pairflow/constitution.md", "## Rules\nr\n\n<!-- note\n\n## Standards\ns\n");
    tool.write(".pairflow/sops/go.md", "---\ntitle: Go\n---\n# Go\n\n```go\nfunc main() {}\n");
    tool.git("add", "-A");
    tool.git("commit", "-q", "-m", "knowledge");
    const ran = await create("x");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /\.pairflow\/constitution\.md:4: this comment is never closed.*\(knowledge\.unclosed\)/,
    );
    expect(ran.stderr).toMatch(/\.pairflow\/sops\/go\.md:6: this code block is never closed/);
    tool.git("reset", "-q", "--hard", "HEAD~1");
    tool.write("task.md", "# Do it\n\n<!-- note\n\n## Acceptance criteria\n- works\n");
    const asked = await create("task.md");
    expect(asked.stderr).toMatch(/task\.md:3: this comment is never closed.*\(task\.unclosed\)/);
    expect(asked.code).toBe(2);
  });
});
