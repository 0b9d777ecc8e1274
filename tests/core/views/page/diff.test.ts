// A change as rows: numbers of both sides, lines carried to where they are now, and whatever hides written out.
import { describe, expect, it } from "vitest";
import { makeVisible } from "../../../../src/core/text/visible.ts";
import { buildDiffFile, buildDiffHunks, carryLine } from "../../../../src/core/views/page/review/diff.ts";

const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const patch = (...lines: string[]) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n${lines.join("\n")}\n`;

describe("rows", () => {
  it("have the line numbers of both sides", () => {
    const [hunk] = buildDiffHunks(patch("@@ -9,3 +9,3 @@", " a", "-b", "+c", " d")) ?? [];
    expect(hunk?.rows.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
      ["kept", 9, 9, "a"],
      ["removed", 10, null, "b"],
      ["added", null, 10, "c"],
      ["kept", 11, 11, "d"],
    ]);
  });

  it("say that no newline follows, and show a carriage return", () => {
    const text = patch("@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+a\r");
    expect(buildDiffHunks(text)?.[0]?.rows).toMatchObject([
      { text: "a", is_open: true },
      { text: "a␍", is_open: false },
    ]);
  });

  it("are text although a NUL byte is in it, and no text when it is a program", () => {
    const [hunk] = buildDiffHunks(patch("@@ -0,0 +1 @@", `+const hidden = "\0"; ${"x".repeat(40)}`)) ?? [];
    expect(hunk?.rows[0]).toMatchObject({ text: expect.stringContaining("⟦U+0000⟧"), hidden: ["U+0000"] });
    expect(buildDiffHunks(patch("@@ -0,0 +1 @@", `+${"\x7fELF\0\0\x01\x02".repeat(9)}`))).toBeNull();
  });
});

describe("what hides is written out", () => {
  it.each([
    ["a bidirectional override", "if (admin\u202e) {", "U+202E"],
    ["a zero-width joiner", "is\u200dAdmin", "U+200D"],
    ["a byte order mark inside", "a\ufeffb", "U+FEFF"],
    ["a Hangul filler", "\u3164", "U+3164"],
    ["an escape character", "\u001b[31mred", "U+001B"],
    ["a soft hyphen", "pass\u00adword", "U+00AD"],
  ])("%s", (_, text, name) => {
    expect(makeVisible(latin1(text))).toMatchObject({
      hidden: [name],
      text: expect.stringContaining(`⟦${name}⟧`),
    });
  });

  it("bytes that are no UTF-8, one by one", () => {
    expect(makeVisible("caf\xe9")).toEqual({ text: "caf⟦byte E9⟧", hidden: ["byte E9"] });
  });

  it("and nothing of plain text, in any script", () => {
    for (const text of ["a\tb", "Größe – 値段", "مرحبا", "🙂"])
      expect(makeVisible(latin1(text))).toEqual({ text, hidden: [] });
  });
});

describe("a line of the old side", () => {
  const hunks =
    buildDiffHunks(patch("@@ -9,0 +10,2 @@", "+new", "+new", "@@ -20,2 +23 @@", "-a", "-b", "+c")) ?? [];
  it.each([
    [1, 1],
    [9, 9],
    [10, 12],
    [19, 21],
    [20, undefined],
    [21, undefined],
    [22, 23],
  ])("%i is now %s", (line, now) => {
    expect(carryLine(hunks, line)).toBe(now);
  });
});

it("files are told with modes, links, hidden names, and whether a tool wrote them", () => {
  const change = { status: "modified" as const, added: 1, removed: 1, oldId: "a", newId: "b" };
  const file = (path: string, oldMode = "100644", newMode = "100644") =>
    buildDiffFile({ ...change, path, oldMode, newMode });
  expect(file("run.sh", "100644", "100755").notes).toEqual(["executable", "mode 100644 → 100755"]);
  expect(file("link", "000000", "120000").notes).toEqual(["symbolic link"]);
  expect(file("a\u202eb").notes).toEqual(["hidden character in its name: U+202E"]);
  expect([file("web/package-lock.json").generated, file("src/lock.ts").generated]).toEqual([true, false]);
});
