// pairflow with nothing behind it: what needs you, what is running, what to type next.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { finding } from "../helpers/play.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

/** The screen without what depends on the agents that this machine happens to have. */
function home(): string {
  return shop
    .session()
    .replace(/agents: \S+ . {2}\S+ ./, "agents: …")
    .replace(/digest [0-9a-f]+/, "digest");
}

it("shows a way in where there is nothing yet", () => {
  expect(home()).toMatchInlineSnapshot(`
    "
    pairflow 0.1.0 · repo shop (main, clean) · agents: …

      nothing here yet; next
        git commit --allow-empty -m Start   a bubble begins on a commit, and there is none
      or
        pairflow init                       looks at this repository and prepares it
        pairflow new "what you want done"   proposes how, and starts it
        pairflow doctor                     says how to get what is missing: codex, claude
        pairflow demo                       a whole bubble with two scripted agents, in a few seconds
    "
  `);
});

it("works outside a repository", () => {
  const outside = join(shop.folder, "elsewhere");
  mkdirSync(outside);
  expect(shop.shown(shop.runIn(outside, shop.env))).toMatchInlineSnapshot(`
    "
    pairflow 0.1.0 · not inside a git repository

      nothing to see here; next
        pairflow demo   a whole bubble with two scripted agents, in a few seconds
      or
        git init        makes a repository here; then: pairflow init
        pairflow help   what can be typed
    "
  `);
});

it("puts what needs you first, with the command to paste", async () => {
  shop.run("init");
  shop.git("add", "-A");
  shop.git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-q", "-m", "first");
  await (await shop.bubble("fix-cart")).asksForApproval();
  const search = await shop.bubble("search-api");
  await search.starts();
  await search.turnStarts();
  await search.says({ type: "ask-human", question: "Keep the old /v1 route?" });
  const tax = await shop.bubble("tax-rules");
  await tax.starts();
  await tax.implements("tree-one-1111");
  await tax.reviews([finding]);
  await tax.isDriven();
  await tax.turnStarts();
  const lost = await shop.bubble("lost");
  await lost.starts();
  await shop.bubble("new", "Not begun yet");
  shop.wait(15 * 60);
  expect(home()).toMatchInlineSnapshot(`
    "
    pairflow 0.1.0 · repo shop (main, clean) · agents: … · gates: none found

      needs you
        fix-cart     approve    Discounts apply before tax (2 files, +75 −9; di… · 42 min   pairflow bubble approve --id fix-cart
        search-api   question   "Keep the old /v1 route?" · 35 min                          pairflow bubble reply --id search-api --message "…"
      running
        lost        round 1   codex, implementer · 16 min · no driver   pairflow bubble resume --id lost
        tax-rules   round 2   codex, implementer · 21 min · 1 open
      not started
        new   Not begun yet   pairflow bubble start --id new
    "
  `);
  const view = shop.json("home");
  expect(view).toMatchObject({ version: "0.1.0", repo: { name: "shop", branch: "main", changed: 0 } });
  expect(view.inbox).toHaveLength(2);
});

it("says so when all has ended", async () => {
  const old = await shop.bubble("old");
  await old.does({ type: "stop", actor: { kind: "operator", via: "cli" }, reason: "enough" });
  expect(shop.session()).toContain("nothing is running");
  expect(shop.session()).toContain("pairflow bubble list --all");
});
