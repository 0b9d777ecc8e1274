// The bubble a command is about: named with or without --id, or the one that is meant when none is named.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

/** One runs, one asks, one asks for approval. */
async function openThree(): Promise<void> {
  const tax = await shop.bubble("tax-rules", "Tax rules for 2026");
  await tax.starts();
  await tax.turnStarts();
  const search = await shop.bubble("search-api", "Search by colour");
  await search.starts();
  await search.turnStarts();
  await search.says({ type: "ask-human", question: "Keep the old /v1 route?" });
  await (await shop.bubble("fix-cart")).asksForApproval();
}

it.each([["bubble", "status"], ["log"], ["explain"], ["bubble", "inbox"], ["verify"], ["review", "log"]])(
  "%s %s takes the id with and without its flag, and none while there is one bubble",
  async (...command) => {
    const words = command.filter(Boolean);
    await (await shop.bubble("fix-cart")).asksForApproval();
    const named = shop.run(...words, "--id", "fix-cart");
    expect(named).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) });
    expect(shop.run(...words, "fix-cart")).toEqual(named);
    expect(shop.run(...words)).toEqual(named);
  },
);

it("lists the candidates when it cannot know, and shows the line for the first", async () => {
  await openThree();
  expect(shop.session("bubble", "status")).toMatchInlineSnapshot(`
    "
    Refused: which bubble? (bubble.not-given)
      fix-cart    READY_FOR_APPROVAL  Fix cart totals
      search-api  WAITING_HUMAN  Search by colour
      tax-rules   RUNNING  Tax rules for 2026
    Hint: pairflow bubble status fix-cart
    [exit 1]
    "
  `);
  expect(shop.session("bubble", "stop")).toContain("(bubble.not-given)");
});

it("takes the bubble that suits the command, and says which before anything is changed", async () => {
  await openThree();
  const approved = shop.run("bubble", "approve");
  expect(approved.stderr).toMatch(/^fix-cart is meant: the only bubble that is READY_FOR_APPROVAL\n/);
  const replied = shop.run("bubble", "reply", "--message", "Keep it");
  expect(replied.stderr).toMatch(/^search-api is meant: the only bubble that is WAITING_HUMAN\n/);
  const committed = shop.run("bubble", "commit");
  expect(committed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Refused: no bubble is APPROVED_FOR_COMMIT (bubble.not-given)"),
  });
});

it("means the bubble of this folder, whatever else waits", async () => {
  await openThree();
  const worktree = join(shop.folder, ".pairflow-worktrees", "shop", "tax-rules", "src");
  mkdirSync(worktree, { recursive: true });
  const env = { ...shop.env, PAIRFLOW_REPO: shop.repo };
  const shown = shop.runIn(worktree, env, "bubble", "status");
  expect(shown.stdout).toMatch(/^tax-rules /);
  expect(shop.runIn(worktree, env, "bubble", "approve").stderr).toMatch(
    /^tax-rules is meant: this folder is its worktree\n/,
  );
});

it("refuses two names, and a word behind the commands of agents", async () => {
  await shop.bubble("fix-cart");
  expect(shop.session("bubble", "status", "fix-cart", "--id", "tax")).toContain(
    "Error: the bubble is named twice: fix-cart and --id tax (usage.repeated)",
  );
  expect(shop.session("bubble", "status", "fix-cart", "tax")).toContain(
    'Error: bubble status takes one bubble, not also "tax" (usage.extra-word)',
  );
  expect(shop.session("pass", "done")).toContain('pass takes no word "done" (usage.extra-word)');
});

it("means no other bubble where the environment of a turn names one", async () => {
  await openThree();
  const env = { ...shop.env, PAIRFLOW_BUBBLE: "tax-rules" };
  expect(shop.runIn(shop.repo, env, "bubble", "status").stdout).toMatch(/^tax-rules /);
});
