// A real CLI as the reviewer under test: it is driven like in any bubble, and what it used is on its card.
import { describe, expect, test } from "vitest";
import { readCaseSet } from "../../src/app/bench-reviewer/case-set.ts";
import type { Asked } from "../models/model.ts";
import { claudeSays, playing, realRig } from "./bubble-rig.ts";

const id = "quantity-prices/at-the-limit";

/** A review with one finding, in the whole form that the CLI insists on. */
const found = (finding: object, tree: string) => ({
  ...{ status: "completed", summary: "One limit is wrong", questions: [], message: null, converged: false },
  ...{ tree, checked: [], prior_findings: [], sop_review: [], confidence: 0.9, patterns: [] },
  findings: [{ severity: "P1", area: null, advice: null, ...finding }],
});

const treeIn = ({ texts }: Asked) => /^Tree ([0-9a-f]{40})$/m.exec(texts.join("\n"))?.[1] ?? "";

describe("a real CLI as the reviewer that is measured", { timeout: 120_000 }, () => {
  test("Claude Code catches a planted defect, and its card says what that cost", async () => {
    const line = readCaseSet()
      .cases.find((one) => one.id === id)
      ?.defect?.lines.at(-1);
    const finding = {
      title: "Ten pieces miss their discount",
      file: "src/cart.js",
      line,
      end_line: null,
      quote: "quantity > from",
      why: null,
    };
    const model = playing({ "reviewer 1": [(asked) => claudeSays(found(finding, treeIn(asked)))] });
    await using real = await realRig(model);
    const printed = await real.tool.ok("bench", "reviewer", "--agent", "claude", "--case", id, "--json");
    const { card, reviews } = JSON.parse(printed);
    expect(reviews).toMatchObject([
      { judgement: "caught", says: `P1 ${finding.title} @ src/cart.js:${line}` },
    ]);
    expect(card).toMatchObject({ agent: "claude", adapter: "claude", planted: 1, caught: 1, unmetered: 0 });
    expect(card.usage.input).toBeGreaterThan(0);
  });
});
