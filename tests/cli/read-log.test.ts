// pairflow log and pairflow explain: the record as a story.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

const command = resolve(import.meta.dirname, "../../bin/pairflow");
let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

it("shows the story without the housekeeping", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.asksForApproval();
  const digest = (await cart.state()).approval?.digest.slice(0, 12) ?? "";
  expect(shop.session("log", "--id", "fix-cart").replace(digest, "<digest>")).toMatchInlineSnapshot(`
    "
      1  09:01:00  human         bubble created     "Fix cart totals" · workflow pair · gates: typecheck, test    task.md  workflow-pair.yaml
      5  09:04:00  referee       TASK               "Fix cart totals" · 1 criterion    task.md
      9  09:07:00  codex         PASS               "Apply discount before tax"    messages/009-codex-pass.md
     10  09:08:00  referee       handoff            2 files, +75 −9 · tree tree-one-1    round-001.diff
     12  09:09:00  referee       gates              ✓ typecheck 1.9 s  ✓ test 1.9 s · tree tree-one-1    round-001.tests.txt
     17  09:12:00  claude        PASS               "Not yet" · P1 Total ignores discount  src/cart.ts:41    messages/017-claude-review.md
     23  09:16:00  codex         PASS               "Apply discount before tax"    messages/023-codex-pass.md
     24  09:17:00  referee       handoff            2 files, +75 −9 · tree tree-two-2    round-002.diff
     26  09:18:00  referee       gates              ✓ typecheck 1.9 s  ✓ test 1.9 s · tree tree-two-2    round-002.tests.txt
     31  09:21:00  claude        PASS               "Nothing found" · F1 fixed    messages/031-claude-review.md
     37  09:25:00  codex         PASS               "Nothing found" · no findings    messages/037-codex-review.md
     40  09:26:00  referee       CONVERGENCE        "All criteria are met after the clean pass of codex" · clean passes: claude, codex    messages/040-orchestrator-converged.md
     42  09:27:00  referee       final gates        on a clean checkout · ✓ typecheck 1.9 s  ✓ test 1.9 s · tree tree-two-2    final-gates.txt
     43  09:28:00  referee       DONE_PACKAGE       "Discounts apply before tax"    done-package.md
     44  09:28:00  referee       APPROVAL_REQUEST   digest <digest> · tree tree-two-2    done-package.md
    29 lines of housekeeping not shown: --all
    "
  `);
});

it("--all, --round and --type choose the lines", async () => {
  await (await shop.bubble("fix-cart")).asksForApproval();
  const numbers = (...flags: string[]) =>
    shop
      .run("log", "--id", "fix-cart", ...flags)
      .stdout.split("\n")
      .filter(Boolean)
      .map((line) => Number(line.slice(0, 3)));
  expect(numbers("--all")).toEqual(Array.from({ length: 44 }, (_, i) => i + 1));
  expect(numbers("--round", "1")).toEqual([9, 10, 12, 17]);
  expect(numbers("--type", "TURN_STARTED")).toEqual([7, 15, 21, 29, 35]);
  expect(shop.session("log", "--id", "fix-cart", "--type", "PAS")).toMatchInlineSnapshot(`
    "
    Error: --type PAS is unknown; did you mean PASS? (usage.bad-value)
    Hint: pairflow log --help
    [exit 2]
    "
  `);
});

it("--json prints the envelopes as they are, one a line", async () => {
  await (await shop.bubble("fix-cart")).asksForApproval();
  const lines = shop.run("log", "--id", "fix-cart", "--json").stdout.trimEnd().split("\n");
  const envelopes = lines.map((line) => JSON.parse(line));
  expect(envelopes.map((envelope) => envelope.seq)).toEqual(Array.from({ length: 44 }, (_, i) => i + 1));
  expect(envelopes[0]).toMatchObject({ v: 1, type: "BUBBLE_CREATED", bubble_id: "fix-cart", prev: "" });
});

it("--follow continues until the bubble has ended", async () => {
  const cart = await shop.bubble("fix-cart");
  const following = spawn(process.execPath, [command, "log", "--id", "fix-cart", "--follow"], {
    cwd: shop.repo,
    env: shop.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  following.stdout.on("data", (piece) => {
    text += piece;
  });
  await once(following.stdout, "data");
  await cart.starts();
  await cart.does({ type: "stop", actor: { kind: "operator", via: "cli" }, reason: "enough" });
  expect(await once(following, "exit")).toEqual([0, null]);
  expect(text).toMatchInlineSnapshot(`
    "  1  09:01:00  human         bubble created     "Fix cart totals" · workflow pair · gates: typecheck, test    task.md  workflow-pair.yaml
      5  09:04:00  referee       TASK               "Fix cart totals" · 1 criterion    task.md
      7  09:05:00  human         cancelled          enough
    "
  `);
});

it("an output that takes no more is a failure of the disk, not a bug", async () => {
  await shop.bubble("fix-cart");
  const line = `'${process.execPath}' '${command}' log --id fix-cart > /dev/full`;
  const { status, stderr } = spawnSync("/bin/sh", ["-c", line], {
    cwd: shop.repo,
    env: shop.env,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([3, expect.stringContaining("(disk.full)")]);
});

it("explains why each round continued or stopped", async () => {
  const cart = await shop.bubble("fix-cart");
  expect(shop.session("explain", "--id", "fix-cart")).toBe("\nNothing has been decided about fix-cart yet\n");
  await cart.asksForApproval();
  await cart.isApproved();
  await cart.isCommitted();
  const digest = (await cart.state()).approval?.digest.slice(0, 12) ?? "";
  expect(shop.session("explain", "--id", "fix-cart").replace(digest, "<digest>")).toMatchInlineSnapshot(`
    "
    round 1 continued: F1 (P1, Total ignores discount) is open
    round 2 swapped roles: claude found nothing (1 of 2 clean passes); codex must review this tree too
    converged: 2 clean passes (claude 32, codex 38) on one tree, gates green on it, package complete, no open question
    approval is asked for; to know before signing: reviews need no evidence here (review.require_evidence = false); no review of exactly this tree has evidence for: C1
    a human approved digest <digest> by terminal
    committed c0ffee0123 on bubble/fix-cart
    "
  `);
  expect(shop.json("explain", "--id", "fix-cart").reasons[0]).toMatchObject({ seq: 20, round: 1 });
});

it("--follow ends when nobody reads it any more, although nothing happens", async () => {
  await shop.bubble("fix-cart");
  const line = `'${process.execPath}' '${command}' log --id fix-cart --follow | head -n 1`;
  const { status, signal, stdout } = spawnSync("sh", ["-c", line], {
    cwd: shop.repo,
    env: shop.env,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect([status, signal, stdout]).toEqual([0, null, expect.stringContaining("bubble created")]);
}, 70_000);

it("an output that takes nothing is the disk's trouble, also when the complaint has no place either", async () => {
  await shop.bubble("fix-cart");
  const full = (line: string) =>
    spawnSync("sh", ["-c", line], { cwd: shop.repo, env: shop.env, encoding: "utf8" });
  const log = `'${process.execPath}' '${command}' log --id fix-cart`;
  const { status, stderr } = full(`${log} >/dev/full`);
  expect([status, stderr]).toEqual([3, expect.stringContaining("(disk.full)")]);
  expect(full(`${log} >/dev/full 2>/dev/full`).status).toBe(3);
  expect(full(`${log}-none --json >/dev/full`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("bubble.unknown"),
  });
});
