// Every sentence of "Know before you sign" is derived from the record: it appears in a history in which it is so, and does
// not in one in which it is not. The page that lists them says the same as the rules.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderPackage } from "../../../src/cli/render/bubble/package.ts";
import { listSentencesBeforeSigning, sentenceRules } from "../../../src/core/package/list.ts";
import { buildPackageView, renderPackageMarkdown } from "../../../src/core/signing/package.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { histories } from "../package-histories.ts";

const codes = sentenceRules.map(({ code }) => code);
const said = (scene: Scenario) => listSentencesBeforeSigning(scene.state);
const codesOf = (scene: Scenario) => said(scene).map(({ code }) => code);

describe("a sentence that whoever signs should know", () => {
  it("has a code of its own and a pair of histories, each of them", () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(Object.keys(histories).sort()).toEqual([...codes].sort());
  });

  it.each(Object.entries(histories))(
    "%s is said where it is so, and not where it is not",
    (code, history) => {
      const so = history.so();
      expect(codesOf(so)).toContain(code);
      expect(codesOf(history.not())).not.toContain(code);
      const { text } = said(so).find((sentence) => sentence.code === code) ?? { text: "" };
      expect(renderPackageMarkdown(buildPackageView(so.state))).toContain(text);
      const look = { digest: "d".repeat(64), head: "1", colour: false, width: 2000 };
      expect(renderPackage(buildPackageView(so.state), look)).toContain(text);
    },
  );

  // A new rule: UPDATE_GOLDEN=1 npx vitest run tests/core/package/package-sentences.test.ts writes the rows.
  it("is listed in docs/reviews.md with what makes it appear", () => {
    const file = join(import.meta.dirname, "../../../docs/reviews.md");
    const rows = sentenceRules.map(({ code, appears }) => `| \`${code}\` | ${appears} |`).join("\n");
    const page = readFileSync(file, "utf8");
    const table = /(?<=\| code \| appears when \|\n\|---\|---\|\n)(?:\|.*\n)*/;
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, page.replace(table, `${rows}\n`));
    expect(table.exec(page)?.[0]).toBe(`${rows}\n`);
  });
});
