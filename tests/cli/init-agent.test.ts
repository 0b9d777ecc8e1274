// pairflow init --agent: the skill files for agents' CLIs, written once, brought up to date, and never over a person's
// own words.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { tools } from "../../src/mcp/tools.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
  shop.run("init");
});
afterEach(() => shop.close());

const claude = ".claude/skills/pairflow/SKILL.md";
const codex = ".agents/skills/pairflow/SKILL.md";
const read = (file: string) => readFileSync(join(shop.repo, file), "utf8");
const write = (file: string, text: string) => writeFileSync(join(shop.repo, file), text);

it("writes the skills of each agent and says what to do with them", () => {
  expect(shop.session("init", "--agent", "claude", "--agent", "codex")).toMatchInlineSnapshot(`
    "
    Prepared <folder>/shop
      wrote .claude/skills/pairflow/SKILL.md
      wrote .claude/skills/multi-ai/SKILL.md
      wrote .claude/skills/review-codex/SKILL.md
      wrote .claude/skills/cancel-loop/SKILL.md
      wrote .agents/skills/pairflow/SKILL.md
    Note: nothing is committed here yet, and a bubble begins on a commit
    Next
      git add .gitignore .pairflow/config.yaml .claude/skills/pairflow/SKILL.md .claude/skills/multi-ai/SKILL.md .claude/skills/review-codex/SKILL.md .claude/skills/cancel-loop/SKILL.md .agents/skills/pairflow/SKILL.md && git commit -m "Prepare Pairflow"
      pairflow new                   asks what you want done, and proposes how
      pairflow doctor                checks that everything is there
      /pairflow in Claude Code       starts, watches and answers bubbles with you
      /multi-ai in Claude Code       runs a request through the whole pipeline
      /review-codex in Claude Code   has the final gate review, and tells what it says
      /cancel-loop in Claude Code    cancels the pipeline
      $pairflow in Codex             starts, watches and answers bubbles with you
    "
  `);
  expect(read(claude)).toBe(read(codex));
  expect(read(claude)).toMatch(/^---\nname: pairflow\ndescription: .{50,1000}\n---\n/);
});

it("writes only what was asked for", () => {
  shop.run("init", "--agent", "codex");
  expect(existsSync(join(shop.repo, codex))).toBe(true);
  expect(existsSync(join(shop.repo, ".claude"))).toBe(false);
});

it("done twice it changes nothing, and an agent named twice is one", () => {
  shop.run("init", "--agent", "claude");
  const before = read(claude);
  expect(shop.session("init", "--agent", "claude", "--agent", "claude")).toMatchInlineSnapshot(`
    "
    <folder>/shop is prepared already; nothing was changed
    Note: nothing is committed here yet, and a bubble begins on a commit
    Next
      git add .gitignore .pairflow/config.yaml && git commit -m "Prepare Pairflow"
      pairflow new                   asks what you want done, and proposes how
      pairflow doctor                checks that everything is there
      /pairflow in Claude Code       starts, watches and answers bubbles with you
      /multi-ai in Claude Code       runs a request through the whole pipeline
      /review-codex in Claude Code   has the final gate review, and tells what it says
      /cancel-loop in Claude Code    cancels the pipeline
    "
  `);
  expect(read(claude)).toBe(before);
});

it("leaves a file alone that a person has changed, and says so", () => {
  shop.run("init", "--agent", "claude");
  const own = read(claude).replace("# Pairflow", "# Pairflow, as we use it");
  write(claude, own);
  expect(shop.session("init", "--agent", "claude")).toMatchInlineSnapshot(`
    "
    <folder>/shop is prepared already; nothing was changed
    Note: nothing is committed here yet, and a bubble begins on a commit
    Note: .claude/skills/pairflow/SKILL.md was changed by hand and is left alone; for a new one: rm .claude/skills/pairflow/SKILL.md && pairflow init --agent claude
    Next
      git add .gitignore .pairflow/config.yaml && git commit -m "Prepare Pairflow"
      pairflow new                   asks what you want done, and proposes how
      pairflow doctor                checks that everything is there
      /pairflow in Claude Code       starts, watches and answers bubbles with you
      /multi-ai in Claude Code       runs a request through the whole pipeline
      /review-codex in Claude Code   has the final gate review, and tells what it says
      /cancel-loop in Claude Code    cancels the pipeline
    "
  `);
  expect(read(claude)).toBe(own);
});

it("leaves a file alone that was there before", () => {
  mkdirSync(join(shop.repo, ".agents/skills/pairflow"), { recursive: true });
  write(codex, "our own\n");
  const { agent_files: files } = shop.json("init", "--agent", "codex");
  expect(files).toMatchObject([{ agent: "codex", file: codex, fate: "kept" }]);
  expect(read(codex)).toBe("our own\n");
});

it("brings a file up to date that an older version wrote and nobody has changed", () => {
  shop.run("init", "--agent", "claude");
  const current = read(claude);
  const text = "---\nname: pairflow\ndescription: older\n---\n";
  const hash = shop.world.hash.sha256(text).slice(0, 16);
  const older = current.replace(
    /^[\s\S]*\n<!-- .* [0-9a-f]{16}\./,
    `${text}\n<!-- pairflow init wrote this, ${hash}.`,
  );
  write(claude, older);
  expect(shop.json("init", "--agent", "claude").did).toEqual([`updated ${claude}`]);
  expect(read(claude)).toBe(current);
});

it("other line ends are no change", () => {
  shop.run("init", "--agent", "claude");
  const windows = read(claude).replaceAll("\n", "\r\n");
  write(claude, windows);
  const { agent_files: files } = shop.json("init", "--agent", "claude");
  expect(new Set(files.map(({ fate }: { fate: string }) => fate))).toEqual(new Set(["same"]));
  expect(read(claude)).toBe(windows);
});

it("says when git would not take the file to the worktrees", () => {
  write(".gitignore", `${read(".gitignore")}.claude/\n`);
  const session = shop.session("init", "--agent", "claude");
  expect(session).toContain(`Note: git ignores ${claude}, so worktrees will not have it`);
  expect(session).not.toMatch(/git add .*SKILL/);
});

it("knows no other agent", () => {
  expect(shop.session("init", "--agent", "cursor")).toMatchInlineSnapshot(`
    "
    Error: --agent cursor is unknown; known: claude, codex (usage.bad-value)
    Hint: pairflow init --help
    [exit 2]
    "
  `);
});

const shipped = (name: string) =>
  readFileSync(resolve(import.meta.dirname, `../../agent-files/${name}/SKILL.md`), "utf8");

it.each(["multi-ai", "review-codex", "cancel-loop"])("/%s calls commands and flags that exist", (name) => {
  shop.run("init", "--agent", "claude");
  expect(read(`.claude/skills/${name}/SKILL.md`).startsWith(shipped(name))).toBe(true);
  expect(shipped(name)).toMatch(new RegExp(`^---\\nname: ${name}\\ndescription: .{50,1000}\\n`));
  const commands = [...shipped(name).matchAll(/`pairflow ((?:[a-z-]+ ?)+)([^`]*)`/g)];
  expect(commands.length).toBeGreaterThan(1);
  for (const [line, words = "", rest = ""] of commands) {
    const verb = verbs.findLast((known) => `${words.trim()} `.startsWith(`${known.words} `));
    expect(verb, line).toBeDefined();
    for (const [, flag = ""] of rest.matchAll(/--([a-z-]+)/g))
      expect({ ...verb?.flags, json: true }, line).toHaveProperty(flag);
  }
});

it("every tool, command and flag that the skill names exists", () => {
  const text = shipped("pairflow");
  const commands = [...text.matchAll(/pairflow ((?:bubble )?[a-z-]+)([^`\n#]*)/g)].filter(([, words = ""]) =>
    /^(bubble |pass|converged|ask-human|inbox|explain)/.test(words),
  );
  expect(commands.length).toBeGreaterThan(12);
  for (const [line, words = "", rest = ""] of commands) {
    const verb = verbs.find((known) => known.words === words);
    expect(verb, line).toBeDefined();
    for (const [, flag = ""] of rest.matchAll(/--([a-z-]+)/g)) expect(verb?.flags, line).toHaveProperty(flag);
  }
  for (const { name } of tools) expect(text).toContain(`\`${name}\``);
});
