// Which lines a change touched and where a secret came in is read from diffs. An author chooses the content, and so may
// write lines that look like the heads of files and hunks.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { findSecretsInDiff } from "../../src/core/redaction/in-diff.ts";
import { createRedaction } from "../../src/core/redaction/redact.ts";
import { listTouchedLines } from "../../src/core/review/touched-lines.ts";
import { type FileDiff, readDiff } from "../../src/core/text/diff/unified.ts";

const folder = mkdtempSync(join(tmpdir(), "pf-diff-"));
const env = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
const git = (args: string[], input?: string) =>
  execFileSync("git", args, {
    cwd: folder,
    env,
    encoding: "utf8",
    ...(input === undefined ? {} : { input }),
  });
git(["init", "-q", "-b", "main"]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Tree = Readonly<Record<string, string>>;
let marks = 0;

/** Writes the trees as commits, in one go. */
function commit(...trees: readonly Tree[]): string[] {
  const refs = trees.map(() => `refs/heads/t${++marks}`);
  const stream = trees.map((tree, i) => {
    const files = Object.entries(tree).map(
      ([path, text]) => `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
    );
    return `commit ${refs[i]}\ncommitter T <t@localhost> 1 +0000\n${data("x")}deleteall\n${files.join("")}`;
  });
  git(["fast-import", "--quiet"], `${stream.join("")}done\n`);
  return refs;
}

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** As the referee asks git for it. */
const diffOf = ([before = "", after = ""]: readonly string[], ...more: string[]) =>
  git([...more, "diff-tree", "-r", "-p", "-M", "--full-index", "--no-color", "--no-ext-diff", before, after]);

const content = fc.constantFrom(
  ...[
    "++ b/other.txt",
    "-- a/other.txt",
    "+++ b/other.txt",
    "--- a/other.txt",
    "@@ -1,3 +1,3 @@",
    "@@ -0,0 +1 @@",
  ],
  ...[
    "diff --git a/x b/y",
    "\\ No newline at end of file",
    "rename to z",
    "",
    " ",
    "\t",
    "plain",
    "ünï 👍",
    "a\rb",
    "end\r",
  ],
);
const text = fc
  .tuple(fc.array(content, { maxLength: 14 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
const name = fc.constantFrom(
  "a.txt",
  "dir/b c.txt",
  "ü.txt",
  'quo"te',
  "tab\there",
  "-- a",
  "++ b",
  "b/b/a",
  "new\nline",
  "x\\y",
);
const tree = fc.dictionary(name, fc.oneof(text, fc.constant("\0bin\n++ x\n"), fc.constant("")), {
  maxKeys: 5,
});

const linesOf = (whole: string) => whole.replace(/\n$/, "").split("\n");

/** The new content, made of the old one and what was read. */
function applied(before: string, { hunks }: FileDiff): string {
  const old = before === "" ? [] : linesOf(before);
  const made: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const from = hunk.before.count === 0 ? hunk.before.first : hunk.before.first - 1;
    made.push(...old.slice(at, from));
    made.push(...hunk.lines.filter(({ kind }) => kind !== "removed").map((line) => line.text));
    at = from + hunk.before.count;
  }
  return [...made, ...old.slice(at)].join("\n");
}

describe("the reader of diffs", () => {
  it("tells every file's new content from its old one, whatever lines and names there are", () => {
    fc.assert(
      fc.property(tree, tree, fc.boolean(), (before, after, isPlain) => {
        const more = ["-c", `core.quotePath=${!isPlain}`, "-c", `diff.suppressBlankEmpty=${isPlain}`];
        const files = readDiff(diffOf(commit(before, after), ...more));
        const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
        const now = files.filter(({ isGone }) => !isGone).map(({ path }) => path);
        expect(now.toSorted()).toEqual(changed.toSorted());
        for (const file of files) {
          expect(file.isGone).toBe(after[file.path] === undefined);
          const old = before[file.path];
          const isText = ![old, after[file.path]].some((words) => words?.includes("\0"));
          // A file that was renamed as well is compared with another one.
          if (!isText || file.isGone || old === undefined) continue;
          expect(applied(old, file)).toBe(linesOf(after[file.path] ?? "").join("\n"));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("does not take a removed `-- x` or an added `++ x` for the name of a file", () => {
    const refs = commit({ "a.md": "-- old\nkept\n" }, { "a.md": "++ new\nkept\n++ b/c.md\n" });
    expect(listTouchedLines(diffOf(refs))).toEqual([{ path: "a.md", ranges: [[1, 3]] }]);
  });

  it("tells the right file of a secret behind a line that looks like a head", () => {
    const secret = "kept-0123456789";
    const refs = commit(
      { "a b.env": "x\n" },
      { "a b.env": `x\n++ b/innocent.txt\n@@ -1 +1 @@\nKEY=${secret}\n` },
    );
    expect(findSecretsInDiff(diffOf(refs), createRedaction([secret]).find)).toEqual([
      { file: "a b.env", line: 4, kind: "env" },
    ]);
  });

  it("knows the place of files that are renamed, gone, binary or empty", () => {
    const long = "one\ntwo\nthree\nfour\nfive\n";
    const refs = commit(
      { "old name.txt": long, "gone.txt": "1\n2\n", bin: "\0\x01", same: "x" },
      { "new\tname.txt": long, bin: "\0\x02", same: "x", empty: "" },
    );
    expect(listTouchedLines(diffOf(refs))).toEqual([
      { path: "bin", ranges: [] },
      { path: "empty", ranges: [] },
      { path: "gone.txt", ranges: [[1, 2]] },
      { path: "new\tname.txt", ranges: [] },
    ]);
  });

  it("reads a diff that was cut off as far as it goes", () => {
    const whole = diffOf(commit({ a: "1\n2\n" }, { a: "1\n3\n4\n", b: "5\n" }));
    for (let end = 0; end < whole.length; end++) expect(() => readDiff(whole.slice(0, end))).not.toThrow();
  });
});
