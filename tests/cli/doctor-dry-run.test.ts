// pairflow doctor as a dry run: whole runs on a PATH of the test's own, with programs that answer, hang or are missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tried } from "../../src/adapters/agent/tested-versions.ts";
import type { DoctorFinding } from "../../src/app/host/check.ts";
import { findProgram } from "../../src/app/host/programs.ts";
import { computeRepoTag } from "../../src/app/host/repositories/names.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
let bin: string;
beforeEach(() => {
  shop = openShop();
  bin = join(shop.folder, "bin");
  mkdirSync(bin);
  for (const name of ["git", "tmux", "sh", "env", "sleep"]) link(name);
  symlinkSync(process.execPath, join(bin, "node"));
});
afterEach(() => shop.close());

function link(name: string): void {
  const path = findProgram(name, "/");
  if (path) symlinkSync(path, join(bin, name));
}

function program(name: string, lines: string): void {
  // The system's own program may be linked there; it must not be written through.
  rmSync(join(bin, name), { force: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

/** Answers `--version` with this, and every question about a login with this exit code. */
function agent(name: string, version: string, code = 0): void {
  program(
    name,
    `case "$*" in *--version*) echo "${name} ${version}";; *status*) echo "sk-part***9876"; exit ${code};; esac`,
  );
}

const environment = (more: Record<string, string> = {}) => ({ ...shop.env, PATH: bin, ...more });

function prepare(config = ""): void {
  shop.run("init");
  writeFileSync(join(shop.repo, ".pairflow/config.yaml"), config);
  shop.git("config", "user.name", "Tester");
  shop.git("config", "user.email", "tester@localhost");
  shop.git("add", "-A");
  shop.git("commit", "-q", "-m", "first");
}

function examine(more: Record<string, string> = {}) {
  const { code, stdout } = shop.runIn(shop.repo, environment(more), "doctor", "--json");
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: DoctorFinding[] };
  return {
    code,
    ok,
    checks,
    text: stdout,
    of: (name: string) => checks.filter((check) => check.name === name),
  };
}

describe("the agents' programs", () => {
  it("that are there and logged in are well, and the exit code is 0", () => {
    prepare();
    agent("claude", "99.0.0");
    agent("codex", "99.0.0");
    const seen = examine();
    expect(seen.of("agent claude")).toMatchObject([
      {
        status: "ok",
        says: `99.0.0 · ${bin}/claude · logged in · tried with ${tried.claude.join(", ")}`,
        group: "agents",
      },
    ]);
    expect(seen.of("agent codex")).toMatchObject([
      { status: "ok", says: `99.0.0 · ${bin}/codex · logged in · tried with ${tried.codex.join(", ")}` },
    ]);
    expect([seen.code, seen.ok]).toEqual([0, true]);
    expect(seen.text).not.toContain("9876");
  });

  it("that a project names and that are missing or not logged in are errors with the line that fixes them", () => {
    prepare("agents:\n  claude: { adapter: claude }\n  codex: { adapter: codex }\n");
    agent("codex", "99.0.0", 1);
    const seen = examine();
    expect(seen.of("agent claude")).toMatchObject([
      { status: "error", says: "claude is not on the PATH", fix: expect.stringContaining("claude") },
    ]);
    expect(seen.of("agent codex")).toMatchObject([
      {
        status: "warning",
        says: expect.stringContaining("nobody is logged in to codex"),
        fix: expect.stringMatching(/^codex login/),
      },
    ]);
    expect([seen.code, seen.ok]).toEqual([1, false]);
  });

  it("that are only defaults warn, and stop nobody", () => {
    prepare();
    agent("claude", "1.0.0");
    const seen = examine();
    expect(seen.of("agent codex")).toMatchObject([{ status: "warning", fix: expect.any(String) }]);
    expect(seen.of("agent claude")).toMatchObject([
      { status: "warning", says: expect.stringMatching(/^1\.0\.0 is older than \d/) },
    ]);
    expect([seen.code, seen.ok]).toEqual([0, true]);
  });

  it("that hang are given up, and the rest is told", { timeout: 60_000 }, () => {
    prepare();
    program("claude", "exec sleep 300");
    program("tmux", "exec sleep 300");
    agent("codex", "99.0.0");
    const startedAt = performance.now();
    const seen = examine();
    expect(performance.now() - startedAt).toBeLessThan(45_000);
    expect(seen.of("agent claude")).toMatchObject([
      { status: "warning", says: expect.stringContaining("did not end in 5 s") },
    ]);
    expect(seen.of("tmux")).toMatchObject([{ status: "warning", says: expect.stringContaining("5 s") }]);
    expect(seen.of("agent codex")).toMatchObject([{ status: "ok" }]);
    expect(seen.code).toBe(0);
  });

  it("a key in the environment is a login, and is never shown", () => {
    prepare();
    agent("claude", "99.0.0", 1);
    const seen = examine({ ANTHROPIC_API_KEY: "sk-tralala" });
    expect(seen.of("agent claude")).toMatchObject([
      { status: "ok", says: expect.stringMatching(/login by ANTHROPIC_API_KEY · tried with [\d., ]+$/) },
    ]);
    expect(seen.text).not.toContain("tralala");
  });
});

describe("the repository", () => {
  it("without a name for commits gets a warning", () => {
    prepare();
    shop.git("config", "--unset", "user.name");
    expect(examine().of("identity")).toMatchObject([
      { status: "warning", fix: expect.stringMatching(/^git config --global user\.name/) },
    ]);
  });

  it("with a hook that git skips gets the line that lets it run", () => {
    prepare();
    const hook = join(shop.repo, ".git", "hooks", "pre-commit");
    mkdirSync(join(shop.repo, ".git", "hooks"), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\n", { mode: 0o644 });
    expect(examine().of("git hooks")).toMatchObject([
      { status: "warning", says: "git skips pre-commit: not executable", fix: `chmod +x ${hook}` },
    ]);
    chmodSync(hook, 0o755);
    expect(examine().of("git hooks")).toMatchObject([
      {
        status: "ok",
        says: "pre-commit; pre-commit runs as a gate before approval, a bubble's own commit runs none of them",
      },
    ]);
  });

  it("with a git that is too old is asked nothing more of it", () => {
    prepare();
    program("git", "echo git version 1.8.0");
    const seen = examine();
    expect(seen.of("git")).toMatchObject([{ status: "error", says: "1.8.0 is too old; 2.38 is needed" }]);
    expect(seen.of("repository")).toEqual([]);
    expect(seen.of("record")).toMatchObject([{ status: "ok" }]);
    expect(seen.code).toBe(1);
  });

  it("with bubble.toml of an open bubble that cannot be read names its line", async () => {
    prepare();
    await shop.bubble("fix-cart");
    writeFileSync(shop.file("fix-cart", "bubble.toml"), 'id = "fix-cart"\nmax_rounds = "many"\n');
    expect(examine().of("config fix-cart")).toMatchObject([
      {
        status: "error",
        says: expect.stringContaining("bubble.toml:2:"),
        fix: `\${EDITOR:-vi} ${shop.file("fix-cart", "bubble.toml")}`,
      },
    ]);
  });

  it("whose running bubble nobody drives says how to continue", async () => {
    prepare();
    const bubble = await shop.bubble("fix-cart");
    await bubble.starts();
    expect(examine().of("driver")).toMatchObject([
      {
        status: "warning",
        says: "fix-cart is RUNNING, but its driver is gone",
        fix: "pairflow bubble resume --id fix-cart",
      },
    ]);
  });

  it("whose records cannot be written is an error, and the rest is told", () => {
    prepare();
    writeFileSync(join(shop.repo, ".pairflow", "bubbles"), "no folder");
    const seen = examine();
    expect(seen.code).toBe(1);
    expect(seen.of("records")).toMatchObject([{ status: "error" }]);
    expect(seen.of("mcp")).toMatchObject([{ status: "ok" }]);
  });
});

it("a shell without node cannot start the verbs, and is told what lacks on the PATH", () => {
  prepare();
  rmSync(join(bin, "node"));
  const seen = examine();
  expect(seen.of("command")).toMatchObject([
    {
      status: "error",
      says: expect.stringMatching(/^agents cannot start pairflow: .*node/),
      fix: expect.stringMatching(/^export PATH=.*:"\$PATH" && /),
    },
  ]);
  expect(seen.code).toBe(1);
});

it("records that cannot be written are an error with the line that gives them back", () => {
  prepare();
  rmSync(join(shop.repo, ".pairflow", "runtime"), { recursive: true });
  writeFileSync(join(shop.repo, ".pairflow", "runtime"), "no folder");
  expect(examine().of("record")).toMatchObject([
    {
      status: "error",
      says: expect.stringContaining(".pairflow cannot be written"),
      fix: `sudo chown -R "$(id -un)" ${shop.repo}/.pairflow`,
    },
  ]);
});

it("a process that still works for a bubble that is over is found", async () => {
  prepare();
  const work = `${computeRepoTag(shop.repo)}/long-gone/t1.1`;
  const child = spawn("sleep", ["300"], { env: { ...shop.env, PAIRFLOW_WORK: work }, stdio: "ignore" });
  try {
    await once(child, "spawn");
    expect(examine().of("process")).toMatchObject([
      {
        status: "warning",
        says: "a process works for long-gone, which is over",
        fix: `kill ${child.pid}`,
      },
    ]);
  } finally {
    child.kill("SIGKILL");
  }
});

it("every line that is not well says what to type", () => {
  const bare = examine();
  const unwell = bare.checks.filter(({ status }) => status !== "ok");
  expect(unwell.length).toBeGreaterThan(3);
  expect(unwell.filter(({ fix }) => !fix)).toEqual([]);
});

it("leaves nothing behind", () => {
  prepare();
  const list = () => readdirSync(join(shop.repo, ".pairflow"), { recursive: true }).sort();
  const before = list();
  const config = () => readFileSync(join(shop.repo, ".git", "config"), "utf8");
  const configBefore = config();
  expect(examine().code).toBe(0);
  expect(list()).toEqual(before);
  expect(config()).toBe(configBefore);
  expect(shop.git("status", "--porcelain")).toBe("");
});
