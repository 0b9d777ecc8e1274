// pairflow bubble status: one bubble on a screen, now and as it was.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { finding } from "../helpers/play.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

const root = resolve(import.meta.dirname, "../..");
let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

it("says what to type for a bubble that was not started", async () => {
  await shop.bubble("fix-cart");
  expect(shop.session("bubble", "status", "--id", "fix-cart")).toMatchInlineSnapshot(`
    "
    fix-cart   CREATED   gates not run: typecheck, test
      task     Fix cart totals
      next     not started
      type     pairflow bubble start --id fix-cart
    "
  `);
});

it("shows who works, since when, what is open and what comes next", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.starts();
  await cart.implements("tree-one-1111");
  await cart.reviews([finding]);
  await cart.turnStarts();
  shop.wait(11 * 60);
  await cart.isDriven();
  shop.wait(12 * 60);
  expect(shop.session("bubble", "status", "--id", "fix-cart")).toMatchInlineSnapshot(`
    "
    fix-cart   RUNNING   round 2 of 8   gates ✓ typecheck ✓ test
      task     Fix cart totals
      now      codex · implementer · 24 min     silent for 12 min     watchdog due
      next     gates → claude reviews
      open     F1  P1  Total ignores discount  src/cart.ts:41  opened round 1 by claude
      used     agents worked 28 min
      tree     2 files, +75 −9 · tree-one-1
    "
  `);
});

it("says that nobody drives a running bubble, and the command that changes it", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.starts();
  expect(shop.session("bubble", "status", "--id", "fix-cart")).toMatchInlineSnapshot(`
    "
    fix-cart   RUNNING   round 1 of 8   gates not run: typecheck, test
      task     Fix cart totals
      now      codex · implementer · about to start
      next     nobody drives this bubble (gates → claude reviews)
      type     pairflow bubble resume --id fix-cart
    "
  `);
});

it("shows the failed gates of exactly this tree", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.starts();
  await cart.implements("tree-one-1111", { test: "failed" });
  expect(shop.session("bubble", "status", "--id", "fix-cart").split("\n")[1]).toBe(
    "fix-cart   RUNNING   round 2 of 8   gates ✓ typecheck ✗ test (failed)",
  );
});

it("shows a question without letting its words move the cursor", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.starts();
  await cart.turnStarts();
  await cart.says({ type: "ask-human", question: "Keep the old\n\u001b[2J/v1 route?\u202e" });
  shop.wait(12 * 60);
  expect(shop.session("bubble", "status", "--id", "fix-cart")).toMatchInlineSnapshot(`
    "
    fix-cart   WAITING_HUMAN   round 1 of 8   gates not run: typecheck, test
      task     Fix cart totals
      now      codex · implementer · 14 min
      asks     codex, 12 min ago: "Keep the old /v1 route?"
      next     a human must answer
      used     agents worked 2 min
      type     pairflow bubble reply --id fix-cart --message "…"
    "
  `);
});

it("shows what asks for approval, and the commit at the end", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.asksForApproval();
  const digest = (await cart.state()).approval?.digest.slice(0, 12) ?? "";
  const ready = shop.session("bubble", "status", "--id", "fix-cart").replace(digest, "<digest>");
  expect(ready).toMatchInlineSnapshot(`
    "
    fix-cart   READY_FOR_APPROVAL   round 3 of 8   gates ✓ typecheck ✓ test (clean checkout)
      task     Fix cart totals
      next     a human must approve
      closed   F1  P1  Total ignores discount  src/cart.ts:41  fixed in round 2
      used     agents worked 10 min
      tree     2 files, +75 −9 · tree-two-2
      digest   <digest>
      type     pairflow bubble approve --id fix-cart
    "
  `);
  await cart.isApproved();
  await cart.isCommitted();
  const done = shop.session("bubble", "status", "--id", "fix-cart").replace(digest, "<digest>");
  expect(done).toMatchInlineSnapshot(`
    "
    fix-cart   DONE   round 3 of 8   gates ✓ typecheck ✓ test (clean checkout)
      task     Fix cart totals
      ended    committed c0ffee0123 on bubble/fix-cart
      closed   F1  P1  Total ignores discount  src/cart.ts:41  fixed in round 2
      used     agents worked 10 min
      tree     2 files, +75 −9 · tree-two-2
      digest   <digest> · approved
      type     git merge bubble/fix-cart
    "
  `);
});

it("goes back to any line with --at, from the first byte and without the cache", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.asksForApproval();
  writeFileSync(shop.file("fix-cart", "state.json"), "garbage");
  shop.wait(20 * 60);
  expect(shop.session("bubble", "status", "--id", "fix-cart", "--at", "20")).toMatchInlineSnapshot(`
    "
    fix-cart   RUNNING   round 2 of 8   gates ✓ typecheck ✓ test
      task     Fix cart totals
      as of    line 20, 35 min ago
      open     F1  P1  Total ignores discount  src/cart.ts:41  opened round 1 by claude
      used     agents worked 4 min
      tree     2 files, +75 −9 · tree-one-1
    "
  `);
  const past = shop.json("bubble", "status", "--id", "fix-cart", "--at", "20");
  expect(past).toMatchObject({ state: "RUNNING", round: 2, seq: 20, as_of: { seq: 20 } });
  expect(past).not.toHaveProperty("next");
});

it("refuses a line behind the head, and says where the head is", async () => {
  await shop.bubble("fix-cart");
  expect(shop.session("bubble", "status", "--id", "fix-cart", "--at", "99")).toMatchInlineSnapshot(`
    "
    Error: --at 99: the record of fix-cart ends at line 1 (usage.beyond-head)
    Hint: pairflow bubble status --id fix-cart --at 1
    [exit 2]
    "
  `);
  expect(shop.session("bubble", "status", "--id", "fix-cart", "--at", "0")).toMatchInlineSnapshot(`
    "
    Error: --at 0: lines are numbered 1, 2, 3 … (usage.bad-number)
    Hint: pairflow log --id fix-cart
    [exit 2]
    "
  `);
  expect(shop.session("bubble", "status", "--id", "fix-cart", "--at", "1", "--watch")).toMatchInlineSnapshot(`
    "
    Error: --at shows the past, which does not change; --watch shows the present (usage.contradiction)
    Hint: leave one of them out
    [exit 2]
    "
  `);
});

it("is the same with a fresh, an old and a missing cache", async () => {
  const cart = await shop.bubble("fix-cart");
  await cart.starts();
  const state = shop.file("fix-cart", "state.json");
  const old = readFileSync(state);
  await cart.implements("tree-one-1111");
  const fresh = shop.json("bubble", "status", "--id", "fix-cart");
  expect(fresh.seq).toBe(14);
  writeFileSync(state, old);
  expect(shop.json("bubble", "status", "--id", "fix-cart")).toEqual(fresh);
  rmSync(state);
  expect(shop.json("bubble", "status", "--id", "fix-cart")).toEqual(fresh);
});

it("works in a folder one may only look at, and leaves nothing behind", async () => {
  await (await shop.bubble("fix-cart")).starts();
  rmSync(shop.file("fix-cart", "state.json"));
  const tool = join(shop.folder, "tool");
  mkdirSync(join(tool, "dist"), { recursive: true });
  cpSync(join(root, "bin"), join(tool, "bin"), { recursive: true });
  cpSync(join(root, "dist", "status.cjs"), join(tool, "dist", "status.cjs"));
  chmodSync(shop.folder, 0o755);
  spawnSync("chmod", ["-R", "a-w,a+rX", shop.repo]);
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const before = spawnSync("ls", ["-lR", "--time-style=full-iso", join(shop.repo, ".pairflow")], {
    encoding: "utf8",
  }).stdout;
  const argv = [join(tool, "bin", "pairflow"), "bubble", "status", "--id", "fix-cart"];
  const ran = spawnSync(process.execPath, argv, {
    cwd: shop.repo,
    env: { PATH: process.env.PATH ?? "" },
    encoding: "utf8",
    ...nobody,
  });
  expect(ran.stderr).toBe("");
  expect(ran.stdout).toContain("fix-cart   RUNNING   round 1 of 8");
  expect(
    spawnSync("ls", ["-lR", "--time-style=full-iso", join(shop.repo, ".pairflow")], { encoding: "utf8" })
      .stdout,
  ).toBe(before);
  spawnSync("chmod", ["-R", "u+w", shop.repo]);
});

it("finds the bubble from its worktree", async () => {
  await shop.bubble("fix-cart");
  const worktree = join(shop.folder, ".pairflow-worktrees", "shop", "fix-cart", "src");
  mkdirSync(worktree, { recursive: true });
  const ran = shop.runIn(worktree, { ...shop.env, PAIRFLOW_REPO: shop.repo }, "bubble", "status", "--json");
  expect(JSON.parse(ran.stdout).bubble).toBe("fix-cart");
});

it("refuses an unknown bubble, a bad id and a creation that was cut off", async () => {
  expect(shop.session("bubble", "status")).toMatchInlineSnapshot(`
    "
    Refused: there is no bubble in this repository yet (bubble.none)
    Hint: pairflow bubble create --task "what is to be done"
    [exit 1]
    "
  `);
  expect(shop.session("bubble", "status", "--id", "nope")).toMatchInlineSnapshot(`
    "
    Refused: there is no bubble nope in <folder>/shop (bubble.unknown)
    Hint: pairflow bubble list
    [exit 1]
    "
  `);
  expect(shop.session("bubble", "status", "--id", "../etc")).toMatchInlineSnapshot(`
    "
    Refused: "../etc" is no bubble id: it must be 1–63 letters, digits, - or _, starting with a letter or digit (bubble.bad-id)
    Hint: pairflow bubble list
    [exit 1]
    "
  `);
  mkdirSync(shop.file("half", "artifacts"), { recursive: true });
  expect(shop.session("bubble", "status", "--id", "half")).toMatchInlineSnapshot(`
    "
    Refused: the record of half has no line: its creation was cut off, or it was emptied (bubble.empty)
    Hint: pairflow verify --id half
    [exit 1]
    "
  `);
  expect(shop.shown(shop.runIn(shop.folder, shop.env, "bubble", "status"))).toMatchInlineSnapshot(`
    "
    Refused: <folder> is not inside a git repository (repo.not-found)
    Hint: cd into a repository, add --repo <path>, or make one here: git init
    [exit 1]
    "
  `);
});

it("--watch prints every change and ends with Ctrl-C", async () => {
  const cart = await shop.bubble("fix-cart");
  const argv = [join(root, "bin", "pairflow"), "bubble", "status", "--id", "fix-cart", "--watch", "--json"];
  const watching = spawn(process.execPath, argv, {
    cwd: shop.repo,
    env: shop.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = linesOf(watching.stdout);
  expect(JSON.parse(await lines.next()).state).toBe("CREATED");
  await cart.starts();
  const seen: string[] = [];
  while (seen.at(-1) !== "RUNNING") seen.push(JSON.parse(await lines.next()).state);
  watching.kill("SIGINT");
  expect(await once(watching, "exit")).toEqual([0, null]);
});

it("--watch ends by itself when the bubble has ended", async () => {
  const cart = await shop.bubble("fix-cart");
  const argv = [join(root, "bin", "pairflow"), "bubble", "status", "--id", "fix-cart", "--watch"];
  const watching = spawn(process.execPath, argv, {
    cwd: shop.repo,
    env: shop.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = linesOf(watching.stdout);
  expect(await lines.next()).toContain("CREATED");
  await cart.does({ type: "stop", actor: { kind: "operator", via: "cli" }, reason: "enough" });
  expect(await once(watching, "exit")).toEqual([0, null]);
});

function linesOf(stream: NodeJS.ReadableStream): { next(): Promise<string> } {
  const waiting: string[] = [];
  let rest = "";
  stream.on("data", (piece) => {
    const parts = `${rest}${piece}`.split("\n");
    rest = parts.pop() ?? "";
    waiting.push(...parts);
    stream.emit("line");
  });
  return {
    async next() {
      while (waiting.length === 0) await once(stream, "line");
      return waiting.shift() ?? "";
    },
  };
}
