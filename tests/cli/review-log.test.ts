// pairflow review log: every review in order, and the final decision.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Scenario } from "../../src/testing/scenario.ts";
import { p1, pair } from "../core/pair.ts";
import { record } from "../helpers/recorded.ts";
import { openShop, type Shop } from "../helpers/shop.ts";
import { expectShown } from "../helpers/shown.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

const underReview = (max_rounds = 8) =>
  pair({ config: { max_rounds, review: { require_evidence: false } } })
    .started()
    .implements("T1");

/** Refused once, asked once, a P1 found and fixed, both agents clean, approval asked for. */
function wholeStory(): Scenario {
  const waiting = underReview().atWork();
  const silent = waiting.after(waiting.tries(waiting.pass({ summary: "looks good" })));
  return silent
    .asks("Is rounding half up?")
    .replies({ message: "yes" })
    .reviews({ summary: "Not yet", findings: [p1] })
    .implements("T2")
    .reviews({ summary: "All criteria met", noFindings: true, answers: [{ id: "F1", status: "fixed" }] })
    .reviews({ summary: "Nothing found", noFindings: true })
    .packageWritten();
}

const session = async (scene: Scenario, ...flags: string[]) => {
  await record(shop.world, scene.log);
  return shop.session("review", "log", "--id", "cart", ...flags);
};

it("shows each review with its decision, what was refused or asked between them, and the final decision", async () => {
  const shown = await session(wholeStory());
  expectShown("docs/reviews.md", "cart  3 reviews, 1 refused", shown);
  expect(shown).toMatchInlineSnapshot(`
    "
    cart  3 reviews, 1 refused
       –  2026-02-21 09:00:11  bob    refused  pass.findings-missing: a reviewer's pass must say what it found
       –  2026-02-21 09:00:12  bob    asked    Is rounding half up?
       1  2026-02-21 09:00:15  bob    NO_GO    Not yet · New: F1 P1 Total ignores discount (src/cart.ts:41)
       2  2026-02-21 09:00:24  bob    GO       All criteria met · Fixed: F1
       3  2026-02-21 09:00:28  alice  GO       Nothing found
    Final decision: GO  approval was asked for, 2026-02-21 09:00:30
    "
  `);
});

it("says that there is no final decision while the loop continues", async () => {
  expect(await session(underReview())).toMatchInlineSnapshot(`
    "
    cart  0 reviews
    No final decision yet: the loop continues
    "
  `);
});

it("says when a human accepted what the last review did not", async () => {
  const accepted = underReview(1)
    .reviews({ summary: "Not yet", findings: [p1] })
    .replies({ choice: "accept", message: "known and harmless", findings: ["F1"] })
    .packageWritten();
  expect((await session(accepted)).split("\n").at(-2)).toMatch(
    /^Final decision: GO {2}a human accepted what the last review did not, 2026-02-21 09:00:\d\d$/,
  );
});

it("shows words of agents as words: they cannot paint the terminal", async () => {
  const painted = underReview().reviews({ summary: "\u001b[2J\u001b[31mred\nand more", findings: [p1] });
  const shown = await session(painted);
  expect(shown).not.toContain("\u001b");
  expect(shown).toContain("NO_GO  red · and more · New: F1");
});

it("--json prints the log itself, without what was refused or asked", async () => {
  await record(shop.world, wholeStory().log);
  const log = shop.json("review", "log", "--id", "cart");
  expect(Object.keys(log)).toEqual(["task_id", "overlay", "iterations", "final_decision", "completed_at"]);
  expect(log).toMatchObject({
    task_id: "cart",
    overlay: "agentic_review",
    iterations: [{ decision: "NO_GO" }, { decision: "GO" }, { iteration: 3, decision: "GO" }],
    final_decision: "GO",
  });
  expect(Object.keys(log.iterations[0])).toEqual(["iteration", "decision", "feedback", "timestamp"]);
});

it("needs a bubble that exists", () => {
  expect(shop.session("review", "log", "--id", "nobody")).toMatchInlineSnapshot(`
    "
    Refused: there is no bubble nobody in <folder>/shop (bubble.unknown)
    Hint: pairflow bubble list
    [exit 1]
    "
  `);
  expect(shop.session("review", "logs", "--id", "cart")).toMatchInlineSnapshot(`
    "
    Error: there is no command review logs; did you mean review log? (usage.unknown-command)
    Hint: pairflow help review log
    [exit 2]
    "
  `);
});
