// pairflow review check: the referee's answer to a written review, without handing it in.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { firstMoment } from "../../src/testing/given.ts";
import { Scenario } from "../../src/testing/scenario.ts";
import { wholePackage } from "../../src/testing/scenario-actors.ts";
import { pair } from "../core/pair.ts";
import { record } from "../helpers/recorded.ts";
import { openShop, type Shop } from "../helpers/shop.ts";
import { expectShown } from "../helpers/shown.ts";

let shop: Shop;
let firstTree: string;
let tree: string;
beforeEach(async () => {
  shop = openShop();
  const config = ["-c", "user.name=Tester", "-c", "user.email=tester@localhost"];
  const committed = (text: string) => {
    writeFileSync(join(shop.repo, "cart.ts"), text);
    shop.git("add", "cart.ts");
    shop.git(...config, "commit", "-q", "-m", "work");
    return shop.git("rev-parse", "HEAD").trim();
  };
  const treeOf = (commit: string) => shop.git("rev-parse", `${commit}^{tree}`).trim();
  const base = committed("export const total = (sum: number) => sum;\n");
  firstTree = treeOf(committed("export const total = (sum: number, discount: number) => sum + discount;\n"));
  tree = treeOf(committed("export const total = (sum: number, discount: number) => sum - discount;\n"));
  await record(shop.world, playedOn(base).log);
});
afterEach(() => shop.close());

const changed = { files: [{ path: "cart.ts", status: "modified", added: 1, removed: 1 }] } as const;
const finding = { severity: "P1", title: "The discount is added", file: "cart.ts", line: 1 } as const;

/** Bob found a P1 in the first tree; the second one waits for his review. */
function playedOn(base: string): Scenario {
  const made = pair({
    config: { repo_path: shop.repo, review: { require_evidence: true } },
    criteria: ["The discount is taken off"],
  }).log[0];
  if (made?.type !== "BUBBLE_CREATED") throw new Error("a bubble begins with its creation");
  const produced = (scene: Scenario, of: string) =>
    scene.implementerPasses({ package: wholePackage }).handsOver(of, changed).gatesPass();
  const created = new Scenario([], firstMoment).does({
    ...made.payload,
    type: "create",
    actor: { kind: "operator", via: "terminal" },
    base_commit: base,
  });
  return produced(produced(created.started(), firstTree).reviews({ findings: [finding] }), tree).atWork();
}

const approval = () => ({
  summary: "The discount is taken off once, and only once",
  tree,
  findings: [] as object[],
  checked: [
    { for: ["C1"], file: "cart.ts", line: 1, quote: "sum - discount", why: "it is subtracted from the sum" },
  ],
  prior_findings: [{ id: "F1", status: "fixed" }] as object[],
});

const write = (review: unknown) =>
  writeFileSync(
    join(shop.repo, "review.json"),
    typeof review === "string" ? review : JSON.stringify(review, null, 2),
  );
const check = (review: unknown, ...flags: string[]) => {
  write(review);
  return shop.session("review", "check", "review.json", "--id", "cart", ...flags);
};
const transcript = () => readFileSync(shop.file("cart", "transcript.ndjson"), "utf8");
const short = (text: string) => text.replaceAll(tree, "<tree>").replaceAll(tree.slice(0, 10), "<tree>");

describe("a review that would be accepted", () => {
  it("approves, and nothing is changed by asking", () => {
    const before = transcript();
    expect(short(check(approval()))).toMatchInlineSnapshot(`
      "
      Would be accepted: approve
      (dialect findings, tree <tree>)
      "
    `);
    expect(transcript()).toBe(before);
  });

  it("rejects, with the ids its findings would get and what is not proven about them", () => {
    const review = {
      ...approval(),
      checked: [],
      prior_findings: [{ id: "F1", status: "open" }],
      findings: [{ severity: "P2", title: "No test for a discount of 0", file: "cart.test.ts", line: 3 }],
    };
    expect(short(check(review))).toMatchInlineSnapshot(`
      "
      Would be accepted: revise
        F2 P2 No test for a discount of 0  cart.test.ts:3  (unproven)
      (dialect findings, tree <tree>)
      "
    `);
  });

  it("says when a human would be asked, because it is not sure of itself", () => {
    expect(short(check({ ...approval(), confidence: 0.5 }))).toMatchInlineSnapshot(`
      "
      Would be accepted: approve
      Note: it is only 50 % sure of itself, 70 % are asked for: a human would decide whether it counts
      (dialect findings, tree <tree>)
      "
    `);
  });

  it("asks a human, in a dialect that can", () => {
    const review = { status: "needs_clarification", summary: "May a discount be more than the sum?", tree };
    expect(short(check(review, "--dialect", "status"))).toMatchInlineSnapshot(`
      "
      Would be accepted: clarify
        May a discount be more than the sum?
      (dialect status, tree <tree>)
      "
    `);
  });

  it("is about the tree that is named, as the bubble was before its first review", () => {
    const { prior_findings: _none, ...review } = approval();
    const early = {
      ...review,
      tree: firstTree,
      findings: [{ ...finding, evidence: "sum + discount" }],
      checked: [],
    };
    expect(check(early, "--tree", firstTree.slice(0, 12))).toContain("F1 P1 The discount is added");
    expect(check(early)).toContain("(review.stale-tree)");
  });

  it("--json says the same", () => {
    write(approval());
    expect(shop.json("review", "check", "review.json", "--id", "cart")).toEqual({
      bubble: "cart",
      tree,
      dialect: "findings",
      decision: "approve",
      findings: [],
      questions: [],
      notes: [],
    });
  });
});

describe("a review that would be refused", () => {
  it("says why in the referee's words: no evidence", () => {
    const refused = check({ ...approval(), checked: [] });
    expectShown("docs/reviews.md", "$ pairflow review check review.json --id cart", refused);
    expect(short(refused)).toMatchInlineSnapshot(`
      "
      Refused: an approval needs evidence that stands in the reviewed tree (review.evidence)
        C1 (The discount is taken off): no evidence
      Hint: --checked 'C1 cart.ts:LINE what you saw there'
      [exit 1]
      "
    `);
  });

  it("cites a line that does not stand in the tree", () => {
    const invented = { for: ["C1"], file: "cart.ts", line: 40, why: "it is subtracted from the sum" };
    expect(check({ ...approval(), checked: [invented] })).toContain(
      "cart.ts has 1 lines, there is no line 40",
    );
  });

  it("judges another tree than the one that was handed over last", () => {
    expect(check({ ...approval(), tree: firstTree })).toContain("(review.stale-tree)");
  });

  it("leaves an open finding unanswered", () => {
    expect(check({ ...approval(), prior_findings: [] })).toContain("(review.unanswered)");
  });

  it("is no JSON, or not the dialect's", () => {
    expect(short(check("LGTM, approved!"))).toMatchInlineSnapshot(`
      "
      Refused: the review could not be understood, and nothing of it counts (review.unreadable)
        text stands where the JSON document should begin (line 1, column 1)
      Hint: pairflow schema findings --example
      [exit 1]
      "
    `);
    expect(check({ ...approval(), verdict: "approved" })).toContain("(review.unreadable)");
  });

  it("--json prints the refusal", () => {
    write({ ...approval(), checked: [] });
    const { error } = shop.json("review", "check", "review.json", "--id", "cart");
    expect(error).toMatchObject({ kind: "refusal", code: "review.evidence" });
  });
});

describe("what cannot be checked", () => {
  it("is a file that cannot be read, a file too many, or none", () => {
    expect(shop.session("review", "check", "absent.json", "--id", "cart")).toMatchInlineSnapshot(`
      "
      Error: absent.json: there is no such file (usage.bad-review-file)
      Hint: pairflow review check review.json --id <bubble>
      [exit 2]
      "
    `);
    expect(shop.run("review", "check", "a", "b", "--id", "cart").code).toBe(2);
    expect(shop.session("review", "check", "--id", "cart")).toMatchInlineSnapshot(`
      "
      Error: review check needs a file (usage.missing-word)
      Hint: pairflow review check review.json --id <bubble>
      [exit 2]
      "
    `);
  });

  it("is a tree nobody handed over, and a bubble that has none yet", async () => {
    expect(check(approval(), "--tree", "feedfeed")).toMatchInlineSnapshot(`
      "
      Refused: no tree that was handed over in cart begins with feedfeed (review.unknown-tree)
      Hint: pairflow log --id cart --type HANDOFF
      [exit 1]
      "
    `);
    await record(shop.world, pair({ config: { id: "empty", repo_path: shop.repo } }).log);
    write(approval());
    expect(shop.session("review", "check", "review.json", "--id", "empty")).toMatchInlineSnapshot(`
      "
      Refused: nothing has been handed over in empty yet: there is no tree to review (review.no-tree)
      Hint: pairflow bubble status --id empty
      [exit 1]
      "
    `);
  });
});
