// pairflow bubble list and pairflow inbox: all bubbles of a repository.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { finding } from "../helpers/play.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

const stop = { type: "stop", actor: { kind: "operator", via: "cli" }, reason: "enough" } as const;

it("says what to type while there is nothing", () => {
  expect(shop.session("bubble", "list")).toMatchInlineSnapshot(`
    "
    No bubbles yet. Make one: pairflow bubble create "what is to be done"
    "
  `);
  expect(shop.session("inbox")).toMatchInlineSnapshot(`
    "
    Nothing waits for you
    "
  `);
});

/** One of each kind: running, asking, asking for approval, ended. */
async function several(): Promise<void> {
  const cart = await shop.bubble("fix-cart");
  await cart.asksForApproval();
  const search = await shop.bubble("search-api", "Search by colour");
  await search.starts();
  await search.turnStarts();
  await search.says({ type: "ask-human", question: "Keep the old /v1 route?" });
  const tax = await shop.bubble("tax-rules", "Tax rules for 2026");
  await tax.starts();
  await tax.implements("tree-one-1111");
  await tax.reviews([finding]);
  await tax.isDriven();
  await tax.turnStarts();
  await (await shop.bubble("old")).does(stop);
  shop.wait(15 * 60);
}

it("lists what has not ended, aligned, and says what is hidden and what waits", async () => {
  await several();
  expect(shop.session("bubble", "list")).toMatchInlineSnapshot(`
    "
    fix-cart     READY_FOR_APPROVAL   round 3 of 8                                          1 for you   Fix cart totals
    search-api   WAITING_HUMAN        round 1 of 8   codex, implementer · 34 min            1 for you   Search by colour
    tax-rules    RUNNING              round 2 of 8   codex, implementer · 18 min   1 open               Tax rules for 2026

    1 ended bubble not shown: pairflow bubble list --all
    2 items wait for you: pairflow inbox
    "
  `);
  expect(shop.session("bubble", "list", "--all")).toContain("old          CANCELLED");
  expect(shop.session("bubble", "list", "--state", "WAITING_HUMAN")).toMatchInlineSnapshot(`
    "
    search-api   WAITING_HUMAN   round 1 of 8   codex, implementer · 34 min      1 for you   Search by colour

    1 item waits for you: pairflow inbox
    "
  `);
  expect(shop.session("bubble", "list", "--state", "WAITNG")).toMatchInlineSnapshot(`
    "
    Error: --state WAITNG is unknown; known: CREATED, PREPARING_WORKSPACE, RUNNING, WAITING_HUMAN, READY_FOR_APPROVAL, APPROVED_FOR_COMMIT, COMMITTED, DONE, FAILED, CANCELLED (usage.bad-value)
    Hint: pairflow bubble list --help
    [exit 2]
    "
  `);
});

it("--json has the summaries and the number hidden", async () => {
  await several();
  const { bubbles, hidden } = shop.json("bubble", "list");
  expect(hidden).toBe(1);
  expect(bubbles.map((one: { bubble: string }) => one.bubble)).toEqual([
    "fix-cart",
    "search-api",
    "tax-rules",
  ]);
  expect(bubbles[2]).toMatchObject({
    state: "RUNNING",
    round: 2,
    active_agent: "codex",
    open_findings: 1,
    inbox: 0,
    driven: true,
  });
});

it("folds what is stale or missing, and shows what cannot be read beside the rest", async () => {
  await several();
  rmSync(shop.file("tax-rules", "state.json"));
  const text = readFileSync(shop.file("fix-cart", "state.json"), "utf8");
  writeFileSync(shop.file("fix-cart", "state.json"), text.replace("READY_FOR_APPROVAL", "DONE"));
  appendFileSync(shop.file("fix-cart", "transcript.ndjson"), "torn");
  mkdirSync(shop.file("half", "artifacts"), { recursive: true });
  expect(shop.session("bubble", "list")).toMatchInlineSnapshot(`
    "
    half         UNREADABLE                                                                             the record of half has no line: its creation was cut off, or it was emptied
    fix-cart     READY_FOR_APPROVAL   round 3 of 8                                          1 for you   Fix cart totals
    search-api   WAITING_HUMAN        round 1 of 8   codex, implementer · 34 min            1 for you   Search by colour
    tax-rules    RUNNING              round 2 of 8   codex, implementer · 18 min   1 open               Tax rules for 2026

    1 ended bubble not shown: pairflow bubble list --all
    2 items wait for you: pairflow inbox
    "
  `);
});

it("the inbox of all bubbles is oldest first, with what each answer does and the command to paste", async () => {
  await several();
  const { digest = "" } = (await shop.json("bubble", "status", "--id", "fix-cart")).approval;
  expect(shop.session("inbox").replace(digest.slice(0, 8), "<digest>")).toMatchInlineSnapshot(`
    "
    fix-cart   approve   39 min ago   from referee   round 3   a44
      Discounts apply before tax (2 files, +75 −9; digest <digest>)
        approve   signs exactly these bytes
        rework    sends it back with your message
      pairflow bubble approve --id fix-cart

    search-api   question   32 min ago   from codex   round 1   q9
      Keep the old /v1 route?
      pairflow bubble reply --id search-api --message "…"
    "
  `);
  expect(shop.json("inbox").items.map((item: { bubble: string }) => item.bubble)).toEqual([
    "fix-cart",
    "search-api",
  ]);
});

it("the inbox of one bubble holds nothing else", async () => {
  await several();
  expect(shop.session("bubble", "inbox", "--id", "search-api")).toMatchInlineSnapshot(`
    "
    search-api   question   32 min ago   from codex   round 1   q9
      Keep the old /v1 route?
      pairflow bubble reply --id search-api --message "…"
    "
  `);
  expect(shop.session("bubble", "inbox", "--id", "tax-rules")).toBe("\nNothing waits for you\n");
});
