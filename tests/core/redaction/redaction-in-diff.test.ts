// A secret that a change brings into the tree: the place is told, the value never.
import { describe, expect, it } from "vitest";
import { describePlace, findSecretsInDiff } from "../../../src/core/redaction/in-diff.ts";
import { createRedaction } from "../../../src/core/redaction/redact.ts";
import { pem, samples, some } from "../redaction-samples.ts";

const value = `kept-${some(12)}`;
const [token = ""] = samples["npm-token"] ?? [];
const { find } = createRedaction([value]);

const diff = (file: string, hunk: string, ...lines: string[]) =>
  [
    `diff --git a/${file} b/${file}`,
    "index 1..2 100644",
    `--- a/${file}`,
    `+++ b/${file}`,
    hunk,
    ...lines,
    "",
  ].join("\n");

describe("secrets in a diff", () => {
  it("are told by file, line and kind", () => {
    const text =
      diff(
        "src/a.ts",
        "@@ -10,2 +10,4 @@ function a() {",
        " one",
        `+const token = "${token}";`,
        " two",
        `+// ${value}`,
      ) + diff("b.env", "@@ -0,0 +1 @@", `+KEY=${value}`);
    expect(findSecretsInDiff(text, find).map(describePlace)).toEqual([
      "src/a.ts:11 (npm-token)",
      "src/a.ts:13 (env)",
      "b.env:1 (env)",
    ]);
  });

  it("that go over several lines are told by their first added line", () => {
    const lines = pem().split("\n");
    const text = diff(
      "id",
      `@@ -1,1 +1,${lines.length} @@`,
      ` ${lines[0]}`,
      ...lines.slice(1).map((line) => `+${line}`),
    );
    expect(findSecretsInDiff(text, find)).toEqual([{ file: "id", line: 2, kind: "private-key" }]);
  });

  it("that were there before, or are taken away, are no news", () => {
    const text = diff("src/a.ts", "@@ -1,2 +1,2 @@", ` ${token}`, `-${value}`, "+fine");
    expect(findSecretsInDiff(text, find)).toEqual([]);
  });

  it("are one place when two stand in one line", () => {
    const text = diff("src/a.ts", "@@ -0,0 +1 @@", `+${token} ${value}`);
    expect(findSecretsInDiff(text, find)).toHaveLength(1);
  });

  it("count in the right file though an added line looks like a header", () => {
    const text = diff("src/a.ts", "@@ -0,0 +1,2 @@", "+++ b/other.ts", `+${token}`);
    expect(findSecretsInDiff(text, find)).toEqual([{ file: "src/a.ts", line: 2, kind: "npm-token" }]);
  });
});
