// What a review shows beside the lines: evidence by subject, comments as findings, and covers over what looks like a secret.
import { describe, expect, it } from "vitest";
import { createRedaction, redact } from "../../../../src/core/redaction/redact.ts";
import { buildCommentFinding, type PlacedComment } from "../../../../src/core/views/page/review/comments.ts";
import { buildDiffHunks } from "../../../../src/core/views/page/review/diff.ts";
import { groupEvidence } from "../../../../src/core/views/page/review/evidence.ts";
import { coverSecrets } from "../../../../src/core/views/page/review/secrets.ts";
import type { EvidenceItem } from "../../../../src/core/views/review/evidence.ts";

const item = (more: Partial<EvidenceItem>): EvidenceItem => ({
  ...{ iteration: 1, agent: "bob", round: 1, tree: "T1", decision: "GO", holds: true },
  ...{ kind: "criterion", for: "C1", place: "src/cart.js:11" },
  ...more,
});

describe("evidence", () => {
  const criteria = [
    { id: "C1", text: "10 % off before tax", evidence: ["bob"] },
    { id: "C2", text: "Whole cents", evidence: [] },
    { id: "pay C3", text: "Paid once", evidence: null },
  ];

  it("stands below what it is for, and a criterion without any is there too", () => {
    const groups = groupEvidence(criteria, [
      item({ why: "taken off first" }),
      item({ agent: "alice", place: "test/cart.test.js:14" }),
      item({ kind: "file", for: "src/tax.js", place: "src/tax.js", why: "unchanged" }),
      item({ kind: "sop", for: "team.sops.money", says: "passed", place: "src/cart.js:3-9" }),
      item({ kind: "finding", for: "F1" }),
    ]);
    expect(groups.map(({ id, text, places }) => [id, text, places.length])).toEqual([
      ["C1", "10 % off before tax", 2],
      ["C2", "Whole cents", 0],
      ["pay C3", "Paid once", 0],
      ["team.sops.money", "", 1],
      ["", "also looked at", 1],
    ]);
    expect(groups[0]?.places[0]).toMatchObject({ file: "src/cart.js", line: 11, says: "taken off first" });
    expect(groups[2]?.none).toBe("judged in its own task");
    expect(groups[3]?.places[0]).toMatchObject({ file: "src/cart.js", line: 3, says: "passed" });
    expect(groups[4]?.places[0]).toMatchObject({ file: "src/tax.js", line: null });
  });

  it("that a later review named again is told once, in its newest words", () => {
    const [group] = groupEvidence(criteria, [item({ why: "first" }), item({ round: 3, why: "again" })]);
    expect(group?.places).toMatchObject([{ says: "again", round: 3 }]);
  });
});

describe("a comment", () => {
  const comment: PlacedComment = {
    ...{ id: "c1", path: "src/cart.js", line: 9, quote: "  return sum;", tree: "a".repeat(40) },
    ...{ severity: "P2" as const, text: "Round it\nonce, at the end", at: 11 },
  };

  it("becomes a finding at the line where it is now", () => {
    expect(buildCommentFinding(comment)).toEqual({
      ...{ severity: "P2", title: "Round it", advice: "once, at the end" },
      ...{ file: "src/cart.js", line: 11, quote: "return sum;" },
    });
  });

  it("names no line when its own was changed, and keeps what it was about", () => {
    const found = buildCommentFinding({ ...comment, at: null });
    expect(found).not.toHaveProperty("line");
    expect(found.quote).toBe("return sum;");
  });

  it("whose first line is too long for a title keeps all its words", () => {
    const long = "x".repeat(400);
    expect(buildCommentFinding({ ...comment, text: long })).toMatchObject({ advice: long });
  });
});

describe("what looks like a secret", () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const hunks = (...lines: string[]) => {
    const count = (other: string) => lines.filter((line) => !line.startsWith(other)).length;
    const head = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,${count("+")} +1,${count("-")} @@`;
    return buildDiffHunks(`${head}\n${lines.join("\n")}\n`) ?? [];
  };
  const { find } = createRedaction([]);

  it("is covered in its line, and the line stays", () => {
    const covered = coverSecrets(hunks(`-const token = "";`, `+const token = "${token}";`, "+done"), find);
    expect(covered.secrets).toBe(1);
    expect(covered.hunks[0]?.rows.map(({ kind, text }) => [kind, text])).toEqual([
      ["removed", 'const token = "";'],
      ["added", 'const token = "⟦looks like a secret⟧";'],
      ["added", "done"],
    ]);
    expect(redact(JSON.stringify(covered))).toBe(JSON.stringify(covered));
  });

  it("over several lines is covered in each of them", () => {
    const spans = () => [{ from: 2, to: 9, kind: "key" }];
    const covered = coverSecrets(hunks("+ab12", "+3456", "+7yz"), spans);
    expect(covered.hunks[0]?.rows.map(({ text }) => text)).toEqual([
      "ab⟦looks like a secret⟧",
      "⟦looks like a secret⟧",
      "7yz",
    ]);
  });

  it("leaves everything else as it is", () => {
    const plain = hunks("+one", "+two");
    expect(coverSecrets(plain, find)).toEqual({ hunks: plain, secrets: 0 });
  });
});
