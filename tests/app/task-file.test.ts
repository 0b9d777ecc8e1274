// A task is a file or the words themselves; its criteria are the list under "Acceptance criteria".
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTask } from "../../src/app/task/file.ts";
import { thrownBy } from "./thrown.ts";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "pairflow-task-"));
  mkdirSync(join(cwd, "tasks"));
  writeFileSync(
    join(cwd, "tasks", "cart.md"),
    "Some words first.\n\n# Fix the cart\n\n## Acceptance criteria\n- Totals add up\n",
  );
  writeFileSync(join(cwd, "plain"), "\n\n  Do this\nand that\n");
  writeFileSync(join(cwd, "my task.md"), "# Spaced\n");
  writeFileSync(join(cwd, "blank.md"), " \n\n<!-- a template -->\n");
  writeFileSync(join(cwd, "image.md"), Buffer.from([80, 0, 1, 2]));
  writeFileSync(join(cwd, "large.md"), "x".repeat(1_000_001));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const criteria = (text: string, more: readonly string[] = []) =>
  readTask(`# T\n\n${text}`, cwd, more).criteria;

describe("a task from a file", () => {
  it("keeps the text, the path and the first heading as title", () => {
    const task = readTask("tasks/cart.md", cwd);
    expect(task).toMatchObject({
      title: "Fix the cart",
      path: join(cwd, "tasks/cart.md"),
      criteria: ["Totals add up"],
    });
    expect(task.text).toContain("Some words first.");
  });

  it("has its first line as title where there is no heading", () => {
    expect(readTask("plain", cwd).title).toBe("Do this");
    expect(readTask("my task.md", cwd).title).toBe("Spaced");
  });

  it("adds the criteria given by flag", () => {
    expect(readTask("tasks/cart.md", cwd, ["Fast", "Totals add up"]).criteria).toEqual([
      "Totals add up",
      "Fast",
    ]);
  });

  it.each([
    ["blank.md", "task.empty"],
    ["image.md", "task.not-text"],
    ["large.md", "task.too-large"],
    ["tasks", "task.not-a-file"],
    ["tasks/", "task.not-a-file"],
  ])("%s is refused", (value, code) => {
    expect(thrownBy(() => readTask(value, cwd)).code).toBe(code);
  });
});

describe("a task in words", () => {
  it.each([
    ["Fix the totals", "Fix the totals"],
    ["Fix the typo in README.md", "Fix the typo in README.md"],
    ["Support and/or in the query language", "Support and/or in the query language"],
    ["refactor", "refactor"],
    ["- one\n- two", "one"],
    ["---\nid: 7\n---\n# Real title\n", "Real title"],
    ["Title\n=====\n\nMore", "Title"],
    ["## Acceptance criteria\n- a\n\n## Later heading\n", "Later heading"],
    ["```\n# not this\n```\n# This one #\n", "This one"],
    [`${"long ".repeat(100)}`, `${"long ".repeat(100).slice(0, 299)}…`],
  ])("%j has the title %j", (text, title) => {
    const task = readTask(text, cwd);
    expect(task.title).toBe(title);
    expect(task.text).toBe(text);
    expect(task.path).toBeUndefined();
  });

  it("may be longer than any file name", () => {
    expect(readTask("word ".repeat(2000), cwd).path).toBeUndefined();
    expect(readTask("/".repeat(5).concat("x y ".repeat(2000)), cwd).path).toBeUndefined();
  });

  it.each(["", "   ", "\n \n", "<!-- nothing -->"])("%j is refused as empty", (text) => {
    expect(thrownBy(() => readTask(text, cwd)).code).toBe("task.empty");
  });

  it.each([
    "tasks/crat.md",
    "crat.md",
    "notes.TXT",
    "../elsewhere",
    "/tmp/x/y",
    "./my other task.md",
    "plain/child",
  ])("%s looks like a file that is not there, and is refused", (value) => {
    const error = thrownBy(() => readTask(value, cwd));
    expect(error.code).toBe("task.no-such-file");
    expect(error.hint).toContain("check the path");
  });
});

describe("acceptance criteria", () => {
  it.each([
    ["bullets of all kinds", "## Acceptance criteria\n- a\n* b\n+ c\n", ["a", "b", "c"]],
    ["numbers", "# ACCEPTANCE CRITERIA\n\n1. a\n2) b\n", ["a", "b"]],
    ["any level, a colon, closing hashes", "###### Acceptance Criteria: ######\n- a", ["a"]],
    ["an underlined heading", "Acceptance criteria\n---\n- a", ["a"]],
    ["a bold heading", "## **Acceptance criteria**\n- a", ["a"]],
    ["checkboxes stripped", "## Acceptance criteria\n- [ ] a\n- [x] b\n- [X] c [d]", ["a", "b", "c [d]"]],
    ["lines that run on", "## Acceptance criteria\n- a\n  b\nc\n- d", ["a b c", "d"]],
    ["nested lists joined", "## Acceptance criteria\n- a:\n  - b\n  - c\n- d\n  1. e", ["a: b; c", "d; e"]],
    ["paragraphs of an item", "## Acceptance criteria\n- a\n\n  b\n- c", ["a b", "c"]],
    ["no text around the list", "## Acceptance criteria\nAll of:\n- a\n\nAnd thanks.\n", ["a"]],
    [
      "deeper headings inside",
      "## Acceptance criteria\n### Must\n- a\n### Should\n- b\n## Notes\n- c",
      ["a", "b"],
    ],
    ["several sections", "## Acceptance criteria\n- a\n## X\n- no\n## Acceptance criteria\n- b", ["a", "b"]],
    ["not in code blocks", "```\n## Acceptance criteria\n- no\n```\n", []],
    [
      "code inside an item",
      "## Acceptance criteria\n- run\n  ```\n  - x\n  ```\n- b",
      ["run ``` - x ```", "b"],
    ],
    ["rules are no items", "## Acceptance criteria\n- a\n---\n* * *\n- b", ["a", "b"]],
    ["Windows line ends", "## Acceptance criteria\r\n- a\r\n- b\r\n", ["a", "b"]],
    ["no such section", "## Notes\n- a", []],
    ["not a longer heading", "## Acceptance criteria of old\n- a", []],
  ])("%s", (_what, text, list) => {
    expect(criteria(text)).toEqual(list);
  });

  it("are refused when the section holds no list, rather than lost", () => {
    expect(thrownBy(() => criteria("## Acceptance criteria\nTotals add up.")).code).toBe("task.no-list");
  });

  it("are refused when one is empty or endless", () => {
    expect(thrownBy(() => criteria("", [" "])).code).toBe("task.empty-criterion");
    expect(thrownBy(() => criteria("", ["x".repeat(2001)])).code).toBe("task.long-criterion");
  });
});
