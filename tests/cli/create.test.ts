// pairflow bubble create: what it takes, what it pins, and what it will not take.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { runAt } from "../helpers/operator.ts";

const packageJson = (test: string) => JSON.stringify({ name: "shop", scripts: { test } });

let tool: Rig;
beforeAll(() => {
  tool = rig({ files: { "package.json": packageJson("node --test") } });
  tool.git("branch", "release-1");
});
afterAll(() => tool.close());

const create = (...flags: string[]) => tool.run("bubble", "create", ...flags);
const created = (id: string) => {
  const first = tool.log(id)[0];
  if (first?.type !== "BUBBLE_CREATED") throw new Error("no first line");
  return first.payload;
};

describe("the flags of the specification", () => {
  it("--id --repo --base --task work from another directory and pin base, branch and task", async () => {
    const made = await runAt(
      tool,
      { cwd: tool.folder },
      ...["bubble", "create", "--id", "seed", "--repo", tool.repo, "--base", "release-1"],
      ...["--task", "Make it so", "--yes"],
    );
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created seed: branch bubble\/seed from release-1/),
    });
    expect(made.stdout).toContain("Next: pairflow bubble start --id seed");
    expect(created("seed")).toMatchObject({
      config: { base_branch: "release-1", bubble_branch: "bubble/seed", repo_path: tool.repo },
      base_commit: tool.git("rev-parse", "release-1").trim(),
      task: { title: "Make it so" },
    });
    expect(tool.git("branch", "--list", "bubble/seed")).toBe("");
  });

  it("--max-usd, --max-tokens and --max-minutes are its budget, and must be more than nothing", async () => {
    const limits = ["--max-usd", "2.5", "--max-tokens", "100000", "--max-minutes", "30"];
    const made = await create("--id", "limited", "--task", "x", "--test", "true", ...limits);
    expect(made.code, made.stderr).toBe(0);
    const budget = { max_usd: 2.5, max_tokens: 100_000, max_minutes: 30 };
    expect(created("limited")).toMatchObject({ config: { budget } });
    const none = await create("--id", "none", "--task", "x", "--test", "true", "--max-usd", "0");
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("budget.max_usd") });
  });

  it("--gate names gates for one bubble, shown as they will run and written into bubble.toml", async () => {
    const typecheck = "cd finder && npx tsc --noEmit";
    const gates = ["--gate", `typecheck=${typecheck}`, "--gate", "e2e=make e2e"];
    const made = await create("--id", "gated", "--task", "x", "--yes", ...gates);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toMatch(/gates +detected \(javascript\) and given by flag; .*sandbox/);
    expect(made.stdout).toMatch(/ test +required {2}npm run test\n/);
    expect(made.stdout).toMatch(/ typecheck +required {2}cd finder && npx tsc --noEmit \(by --gate\)\n/);
    const [first] = tool.log("gated");
    expect(first).toMatchObject({
      payload: {
        profile: { gates: [{ name: "test" }, { name: "typecheck", command: typecheck }, { name: "e2e" }] },
      },
    });
    const toml = readFileSync(join(tool.repo, ".pairflow", "bubbles", "gated", "bubble.toml"), "utf8");
    expect(toml).toMatch(/\n\[commands\]\ntest = \{ command = "npm run test", install = ".+" \}\n/);
    expect(toml).toContain(`\ntypecheck = "${typecheck}"\ne2e = "make e2e"\n`);
  });

  it.each(["typecheck", "=x", "hook:pre-commit=x", "a b=x", "t="])("--gate %j is refused", async (word) => {
    const refused = await create("--id", "ungated", "--task", "x", "--gate", word);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("usage.bad-value") });
  });

  it("a budget exists without a word, is shown, and only --no-budget switches it off", async () => {
    const usual = await create("--id", "usual", "--task", "x", "--test", "true");
    expect(usual.stdout).toMatch(/budget +5M tokens, 240 agent minutes; then you are asked/);
    expect(created("usual").config.budget).toEqual({ max_tokens: 5_000_000, max_minutes: 240 });
    expect(await tool.ok("bubble", "status", "--id", "usual")).toMatch(
      /budget +0 of 5M tokens, 0 of 240 agent minutes/,
    );
    const free = await create("--id", "free", "--task", "x", "--test", "true", "--no-budget");
    expect(free.stdout).toMatch(/budget +no limit\n/);
    const off = { max_tokens: "off", max_usd: "off", max_minutes: "off" };
    expect(created("free").config.budget).toEqual(off);
    const both = await create("--id", "both", "--task", "x", "--no-budget", "--max-minutes", "3");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("usage.contradiction") });
  });

  it("--json says what was made and nothing else on stdout", async () => {
    const made = await create(
      "--id",
      "json",
      "--task",
      "x",
      "--test",
      "true",
      "--criterion",
      "it holds",
      "--json",
    );
    expect(JSON.parse(made.stdout)).toEqual({
      bubble: "json",
      base: "main",
      base_commit: tool.git("rev-parse", "main").trim(),
      branch: "bubble/json",
      gates: [{ name: "test", command: "true", required: true, timeout_seconds: 600 }],
      gates_from: "given by flag",
      sandbox: expect.stringMatching(/^(bubblewrap|none)$/),
      budget: { max_tokens: 5_000_000, max_minutes: 240 },
      criteria: ["it holds"],
    });
  });

  it("an error with --json is one object with kind, code, message and hint", async () => {
    const failed = await create("--id", "json", "--task", "x", "--test", "true", "--json");
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toEqual({
      error: {
        kind: "refusal",
        code: "bubble.exists",
        message: "bubble json exists already",
        hint: "pairflow bubble status --id json",
      },
    });
    expect(failed.stderr).toBe("");
  });

  it("a task may stand without its flag, and makes the id", async () => {
    const words = "Round the totals of a cart, whatever its currency may be";
    const first = JSON.parse((await create(words, "--test", "true", "--json")).stdout);
    expect(first.bubble).toBe("round-the-totals-of-a-cart");
    const second = JSON.parse((await create("--task", words, "--test", "true", "--json")).stdout);
    expect(second.bubble).toBe("round-the-totals-of-a-cart-2");
    const other = JSON.parse((await create("合計を丸める", "--test", "true", "--json")).stdout);
    expect(other.bubble).toBe("work");
  });

  it("a flag that is missing or unknown is a usage error with the nearest word", async () => {
    expect(await create("--id", "x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bubble create needs what is to be done"),
    });
    expect(await create("x", "--task", "y")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the task is named twice"),
    });
    expect(await create("--id", "flags", "--tsk", "x")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/has no flag --tsk.*--task/),
    });
    expect(await create("--id", "flags", "--task", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--task needs a value: <file-or-text>"),
    });
    expect(await create("--id", "flags", "--task", "x", "--mode", "clon")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--mode clon .*did you mean clone/),
    });
    expect(await tool.run("bubble", "craete", "--id", "flags")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no command bubble craete.*bubble create/),
    });
  });
});

describe("an id", () => {
  it.each(["../x", "a b", "$(x)", "a/b", ".hidden", "x".repeat(64), "", "ünder", "a;b", "-x"])(
    "%j is refused before anything is made",
    async (id) => {
      const refused = await create(`--id=${id}`, "--task", "x", "--test", "true");
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("bubble.bad-id") });
      expect(refused.stderr).toContain("1–63 letters, digits, - or _");
    },
  );

  it("of 63 characters is taken", async () => {
    expect((await create("--id", "x".repeat(63), "--task", "x", "--test", "true")).code).toBe(0);
  });

  it("that exists already is refused, with the command that shows it", async () => {
    await tool.ok("bubble", "create", "--id", "twice", "--task", "x", "--test", "true");
    const again = await create("--id", "twice", "--task", "y", "--test", "true");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("bubble.exists") });
    expect(again.stderr).toContain("pairflow bubble status --id twice");
    expect(created("twice").task.title).toBe("x");
  });

  it("whose branch exists already is refused at creation, not at the start", async () => {
    tool.git("branch", "bubble/occupied");
    const refused = await create("--id", "occupied", "--task", "x", "--test", "true");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("workspace.branch-taken") });
    expect(refused.stderr).toContain("git branch -m bubble/occupied");
  });
});

describe("a base", () => {
  it("that does not exist is refused, the nearest branch first", async () => {
    const refused = await create("--id", "nobase", "--base", "relase-1", "--task", "x", "--yes");
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("git.no-base") });
    expect(refused.stderr).toMatch(/known branches: release-1, /);
  });

  it("outside any repository there is none, and that is said", async () => {
    const refused = await runAt(tool, { cwd: tool.folder }, "bubble", "create", "--id", "x", "--task", "x");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("repo.not-found") });
    const wrong = await create("--id", "x", "--repo", join(tool.folder, "nowhere"), "--task", "x");
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("repo.not-found") });
  });
});

describe("the test profile", () => {
  it("is detected on the base commit, not in the dirty checkout", async () => {
    tool.write("package.json", packageJson("echo tampered"));
    tool.write("Cargo.toml", '[package]\nname = "shop"\n');
    try {
      await tool.ok("bubble", "create", "--id", "dirty", "--task", "x", "--yes");
    } finally {
      tool.git("checkout", "-q", "package.json");
      tool.git("clean", "-fdq", "Cargo.toml");
    }
    expect(created("dirty").profile).toMatchObject({
      source: "detected (javascript)",
      confirmed: true,
      gates: [{ name: "test", command: "npm run test" }],
    });
  });

  it("needs somebody to confirm it: without a terminal the three flags are named", async () => {
    const nobody = tool.with({ PAIRFLOW_HOME: join(tool.folder, "nobody") });
    const asked = await nobody.run("bubble", "create", "--id", "unconfirmed", "--task", "x");
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("create.unconfirmed") });
    expect(asked.stderr).toContain('gates found (javascript): test "npm run test"');
    expect(asked.stderr).toMatch(/--yes.*--test <command>.*--no-tests --reason/);
  });

  it("--test stands instead of what was detected, repeatable and named", async () => {
    await tool.ok("bubble", "create", "--id", "tests", "--task", "x", "--test", "true", "--test", "ls");
    expect(created("tests").profile.gates.map(({ name, command }) => [name, command])).toEqual([
      ["test", "true"],
      ["test-2", "ls"],
    ]);
  });

  it("--no-tests needs a reason and contradicts --test", async () => {
    const bare = await create("--id", "none", "--task", "x", "--no-tests");
    expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining("--no-tests needs --reason") });
    const both = await create("--id", "none", "--task", "x", "--no-tests", "--reason", "r", "--test", "true");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("gates.contradiction") });
    const said = await tool.ok(
      "bubble",
      "create",
      "--id",
      "none",
      "--task",
      "x",
      "--no-tests",
      "--reason",
      "prose only",
    );
    expect(said).toContain("gates    none (prose only)");
    expect(created("none").profile).toMatchObject({
      gates: [],
      not_available: "prose only",
      confirmed: true,
    });
  });

  it("where nothing is found, names the three ways out", async () => {
    tool.git("checkout", "-q", "-b", "bare");
    tool.git("rm", "-q", "package.json");
    tool.git("commit", "-q", "-m", "no package");
    tool.git("checkout", "-q", "main");
    for (const more of [[], ["--yes"]]) {
      const refused = await create("--id", "bare", "--base", "bare", "--task", "x", ...more);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("create.no-tests") });
      expect(refused.stderr).toMatch(
        /--test .*--no-tests --reason .*defaults\.commands in \.pairflow\/config\.yaml/,
      );
    }
  });
});

describe("a task", () => {
  it("from a file brings its criteria, and --criterion adds to them", async () => {
    mkdirSync(join(tool.folder, "tasks"), { recursive: true });
    const file = join(tool.folder, "tasks", "cart.md");
    writeFileSync(
      file,
      "# Fix cart totals\n\nSome words.\n\n## Acceptance criteria\n\n- adds both numbers\n- keeps cents\n",
    );
    await tool.ok("bubble", "create", "--id", "task", "--task", file, "--criterion", "is fast", "--yes");
    expect(created("task").task).toMatchObject({
      title: "Fix cart totals",
      criteria: ["adds both numbers", "keeps cents", "is fast"],
    });
  });

  it("that looks like a file but is none is an error, not a task", async () => {
    const refused = await create("--id", "typo", "--task", "tasks/crat.md", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("task.no-such-file") });
    expect(await create("--id", "typo", "--task", "", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("task.empty"),
    });
  });
});
