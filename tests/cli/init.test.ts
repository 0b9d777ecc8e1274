// pairflow init: what it makes, and that it makes it once.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildConfigText } from "../../src/app/config/example.ts";
import { parseProjectConfig } from "../../src/app/config/project.ts";
import { getUserFile } from "../../src/app/host/user-folder.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

const ignored = () => readFileSync(join(shop.repo, ".gitignore"), "utf8");
const isIgnored = (path: string) => shop.git("check-ignore", path).trim() === path;

it("makes the folder, the ignore rules and a configuration, and says what to type next", () => {
  expect(shop.session("init")).toMatchInlineSnapshot(`
    "
    Prepared <folder>/shop
      wrote 8 lines into .gitignore
      made .pairflow/config.yaml
    Note: nothing is committed here yet, and a bubble begins on a commit
    Next
      git add .gitignore .pairflow/config.yaml && git commit -m "Prepare Pairflow"
      pairflow new      asks what you want done, and proposes how
      pairflow doctor   checks that everything is there
    "
  `);
  expect(ignored()).toMatchInlineSnapshot(`
    "# Pairflow: records stay on this machine, project knowledge is committed.
    .pairflow/*
    !.pairflow/config.yaml
    !.pairflow/sops/
    !.pairflow/constitution.md
    !.pairflow/conventions.ndjson
    !.pairflow/plans/
    !.pairflow/workflows/
    "
  `);
  expect(isIgnored(".pairflow/bubbles/x/state.json")).toBe(true);
  expect(isIgnored(".pairflow/runtime/operator-keys")).toBe(true);
  for (const kept of [
    "config.yaml",
    "sops/a.md",
    "constitution.md",
    "conventions.ndjson",
    "plans/a/plan.md",
  ]) {
    expect(isIgnored(`.pairflow/${kept}`), kept).toBe(false);
  }
});

it("done twice it changes nothing", () => {
  shop.run("init");
  const before = ignored();
  writeFileSync(join(shop.repo, ".pairflow/config.yaml"), "defaults:\n  max_rounds: 4\n");
  expect(shop.session("init")).toMatchInlineSnapshot(`
    "
    <folder>/shop is prepared already; nothing was changed
    Note: nothing is committed here yet, and a bubble begins on a commit
    Next
      git add .gitignore .pairflow/config.yaml && git commit -m "Prepare Pairflow"
      pairflow new      asks what you want done, and proposes how
      pairflow doctor   checks that everything is there
    "
  `);
  expect(ignored()).toBe(before);
  expect(readFileSync(join(shop.repo, ".pairflow/config.yaml"), "utf8")).toContain("max_rounds: 4");
});

it("keeps the rules that are there, and the file's line ends", () => {
  writeFileSync(join(shop.repo, ".gitignore"), "node_modules/\r\n.pairflow/*\r\n!.pairflow/config.yaml");
  shop.run("init");
  expect(ignored()).toBe(
    [
      "node_modules/",
      ".pairflow/*",
      "!.pairflow/config.yaml",
      "",
      "# Pairflow: records stay on this machine, project knowledge is committed.",
      "!.pairflow/sops/",
      "!.pairflow/constitution.md",
      "!.pairflow/conventions.ndjson",
      "!.pairflow/plans/",
      "!.pairflow/workflows/",
      "",
    ].join("\r\n"),
  );
});

it("says when another rule hides what should be committed", () => {
  writeFileSync(join(shop.repo, ".gitignore"), ".pairflow/\n");
  expect(shop.session("init")).toContain(
    "Note: git ignores .pairflow/config.yaml, so it cannot be committed",
  );
});

it("--private leaves the project's .gitignore alone", () => {
  expect(shop.run("init", "--private").code).toBe(0);
  expect(existsSync(join(shop.repo, ".gitignore"))).toBe(false);
  expect(isIgnored(".pairflow/bubbles/x")).toBe(true);
});

it.each([
  { gates: {} },
  { gates: { lint: "npm run lint" }, setup: "npm ci", agents: { implementer: "gemini", reviewer: "claude" } },
  { gates: {}, typedTest: "make test: all" },
])("the configuration is valid as it is, and when its comments are taken away", (found) => {
  const text = buildConfigText(found);
  const { defaults } = parseProjectConfig(text, "config.yaml");
  expect(defaults.agents).toEqual("agents" in found ? found.agents : undefined);
  expect(defaults.commands).toEqual("typedTest" in found ? { test: found.typedTest } : undefined);
  const settings = text.split("\n").filter((line) => !/^# [A-Z]/.test(line));
  const all = parseProjectConfig(
    settings.map((line) => line.replace(/^(\s*)# /, "$1")).join("\n"),
    "config.yaml",
  );
  expect(all.defaults).toMatchObject({
    max_rounds: 8,
    commands: expect.anything(),
    agents: expect.anything(),
  });
  expect(all.agents).toHaveProperty("claude");
});

function commitTests(): void {
  writeFileSync(join(shop.repo, "package.json"), '{"scripts":{"test":"node --test"}}');
  shop.git("config", "user.name", "Ada");
  shop.git("config", "user.email", "ada@localhost");
  shop.git("add", "-A");
  shop.git("commit", "-qm", "tests");
}

it("--dry-run shows what is found and the configuration, and leaves nothing behind", () => {
  commitTests();
  const shown = shop.session("init", "--dry-run");
  expect(shown).toContain("test  required  npm run test");
  expect(shown).toContain("make .pairflow/config.yaml");
  expect(shown).toContain("#   commands:\n#     test: npm run test");
  expect(existsSync(join(shop.repo, ".pairflow"))).toBe(false);
  expect(shop.git("status", "--porcelain")).toBe("");
});

it("--yes confirms and commits what is shown: a bubble is made without a question, and other changes stay", () => {
  commitTests();
  writeFileSync(join(shop.repo, "mine.txt"), "not yet\n");
  shop.git("add", "mine.txt");
  expect(shop.session("init", "--yes")).toContain("committed .gitignore and .pairflow/config.yaml");
  expect(shop.git("show", "--name-only", "--format=%s").trim().split("\n")).toEqual([
    "Prepare Pairflow",
    "",
    ".gitignore",
    ".pairflow/config.yaml",
  ]);
  expect(shop.git("status", "--porcelain").trim()).toBe("A  mine.txt");
  expect(shop.run("create", "Fix it", "--id", "fix-it").code).toBe(0);
});

it("makes an operator key outside the repository that only its owner can read", () => {
  const key = join(shop.folder, "keys", "operator.key");
  expect(shop.session("init", "--operator-key", key)).toContain(
    "made the operator key <folder>/keys/operator.key",
  );
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(readFileSync(key, "utf8").trim().length).toBeGreaterThanOrEqual(43);
  const list = readFileSync(getUserFile("operator-keys", shop.repo, shop.env), "utf8");
  expect(list).toMatch(/^[0-9a-f]{64}\n$/);
  expect(shop.session("init", "--operator-key", key)).toContain("knew <folder>/keys/operator.key already");
  expect(readFileSync(getUserFile("operator-keys", shop.repo, shop.env), "utf8")).toBe(list);
});

it("refuses a key where agents work, however the path is written", () => {
  expect(shop.session("init", "--operator-key", "secret/operator.key")).toMatchInlineSnapshot(`
    "
    Refused: secret/operator.key is where agents work; a key there would be theirs too (init.key-inside)
    Hint: pairflow init --operator-key ~/.config/pairflow/operator.key
    [exit 1]
    "
  `);
  symlinkSync(shop.repo, join(shop.folder, "link"));
  expect(shop.run("init", "--operator-key", join(shop.folder, "link", "operator.key")).code).toBe(1);
  const worktree = join(shop.folder, ".pairflow-worktrees", "shop", "fix-cart");
  mkdirSync(worktree, { recursive: true });
  expect(shop.run("init", "--operator-key", join(worktree, "operator.key")).code).toBe(1);
});

it("takes a key that exists, unless others can read it or it is too short", () => {
  const key = join(shop.folder, "operator.key");
  writeFileSync(key, `${"k".repeat(40)}\n`, { mode: 0o644 });
  chmodSync(key, 0o644);
  expect(shop.session("init", "--operator-key", key)).toMatchInlineSnapshot(`
    "
    Refused: <folder>/operator.key can be read by other users (init.key-open)
    Hint: chmod 600 <folder>/operator.key
    [exit 1]
    "
  `);
  chmodSync(key, 0o600);
  expect(shop.session("init", "--operator-key", key)).toContain("registered the operator key");
  const short = join(shop.folder, "short.key");
  writeFileSync(short, "short\n", { mode: 0o600 });
  expect(shop.session("init", "--operator-key", short)).toMatchInlineSnapshot(`
    "
    Refused: <folder>/short.key is too short for a key (at least 32 characters) (init.key-unusable)
    Hint: name a file that does not exist yet; it is made
    [exit 1]
    "
  `);
});

it("is refused inside an agent's turn and outside a repository", () => {
  const inside = shop.runIn(shop.repo, { ...shop.env, PAIRFLOW_TURN: "fix-cart:t1.1:secret" }, "init");
  expect(shop.shown(inside)).toMatchInlineSnapshot(`
    "
    Refused: init is an operator's command; an agent cannot use it (operator.inside-agent)
    Hint: pairflow ask-human --question "…"
    [exit 1]
    "
  `);
  expect(shop.shown(shop.runIn(shop.folder, shop.env, "init"))).toContain("(repo.not-found)");
});
