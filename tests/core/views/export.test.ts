// What is exported: markup is ours alone, and secrets are gone, also those that stand on several lines.
import { describe, expect, it } from "vitest";
import { buildDocument, writeElement } from "../../../src/core/views/export/html.ts";
import { redactAll, redactDiff } from "../../../src/core/views/export/redact.ts";
import { renderReview } from "../../../src/core/views/export/review.ts";
import type { DiffRow, FileDiffPage } from "../../../src/core/views/page/review/diff.ts";
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";

describe("elements", () => {
  it("make no markup of text, in content or in attributes", () => {
    const { markup } = writeElement("p", { title: `"><script>` }, "<img src=x onerror=1> & 'so'", null, 3);
    expect(markup).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">&lt;img src=x onerror=1&gt; &amp; &#39;so&#39;3</p>',
    );
  });

  it("stand in a document that loads and runs nothing", () => {
    const text = buildDocument(
      { title: "</title><script>", style: "p{}", styleHash: "abc=" },
      writeElement("p", {}),
    );
    expect(text).toContain("default-src 'none'; style-src 'sha256-abc='");
    expect(text).not.toContain("<script>");
  });
});

describe("a change", () => {
  const render = (know: readonly { code: string; text: string }[]) => {
    const tree = { id: "1", name: "base" };
    const lists = { know, gates: [], criteria: [], evidence: [], files: [], findings: [] };
    const page = { ...lists, from: tree, to: tree, gates_clean: true, sign: null } as unknown as ReviewPage;
    return renderReview(page, [])
      .map(({ markup }) => markup)
      .join("");
  };

  it("says what to know before signing, and also that there is nothing", () => {
    expect(render([])).toContain("nothing beyond this page");
    const told = render([{ code: "no-sandbox", text: "no OS sandbox: codex" }]);
    expect(told).toContain("<p>no OS sandbox: codex</p>");
    expect(told).not.toContain("nothing beyond this page");
  });
});

const redact = (text: string) =>
  text.replaceAll("hunter2", "[redacted]").replace(/BEGIN[\s\S]*END/, "[redacted]");
const row = (text: string): DiffRow => ({
  kind: "added",
  before: null,
  after: 1,
  text,
  hidden: [],
  is_open: false,
});
const diff = (...lines: string[]): FileDiffPage => ({
  page: "file",
  path: "a.txt",
  from: "1",
  to: "2",
  hunks: [{ before: 1, after: 1, rows: lines.map(row) }],
  note: null,
  secrets: 0,
});

describe("secrets", () => {
  it("are redacted in every text of a payload", () => {
    expect(redactAll({ a: ["hunter2", { b: "x hunter2" }], c: 1, d: null }, redact)).toEqual({
      a: ["[redacted]", { b: "x [redacted]" }],
      c: 1,
      d: null,
    });
  });

  it("are redacted in the lines of a change; over several lines the file is left out", () => {
    expect(redactDiff(diff("one", "hunter2"), redact).hunks?.[0]?.rows.map(({ text }) => text)).toEqual([
      "one",
      "[redacted]",
    ]);
    expect(redactDiff(diff("BEGIN", "x", "END"), redact)).toMatchObject({
      hunks: null,
      note: expect.stringContaining("several lines"),
    });
  });
});
