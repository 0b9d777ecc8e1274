// A throw-away repository and the real command line: what acceptance tests, fault campaigns and benches stand on.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope } from "../../src/core/model/envelope.ts";
import type { StatusView } from "../../src/core/views/status.ts";
import { recordChange, recordStamp } from "../helpers/record-changes.ts";
import { trustSettings } from "../helpers/trust.ts";

export const cli = join(import.meta.dirname, "..", "..", "bin", "pairflow");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Rig {
  readonly folder: string;
  readonly repo: string;
  readonly key: string;
  readonly socket: string;
  readonly env: Record<string, string>;
  /** The Node binary the command runs under. */
  readonly node: string;
  /** Whether the person here has confirmed what the settings of the repository run. */
  readonly trusts: boolean;
  run(...args: string[]): Promise<Ran>;
  /** Runs and returns stdout; throws with everything printed when the exit code is not 0. */
  ok(...args: string[]): Promise<string>;
  with(env: Record<string, string>): Rig;
  git(...args: string[]): string;
  write(path: string, text: string): void;
  script(name: string, turns: unknown): string;
  status(id: string): Promise<StatusView>;
  log(id: string): Envelope[];
  until(
    id: string,
    wanted: (status: StatusView) => boolean,
    what: string,
    limitMs?: number,
  ): Promise<StatusView>;
  transcript(id: string): string;
  worktree(id: string): string;
  close(): Promise<void>;
}

let made = 0;

export function rig(options: { files?: Record<string, string>; node?: string; trusts?: boolean } = {}): Rig {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-rig-"));
  const repo = join(folder, "shop");
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  mkdirSync(repo);
  const socket = `pf-test-${process.pid}-${++made}`;
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    PAIRFLOW_CHECKOUTS: join(folder, "checkouts"),
    // Gates and agents of tests leave traces and find scripts beside the repository; the repository itself stays as closed.
    PAIRFLOW_SANDBOX_WRITE: folder,
    TZ: "UTC",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    GIT_AUTHOR_NAME: "Tester",
    GIT_AUTHOR_EMAIL: "tester@localhost",
    GIT_COMMITTER_NAME: "Tester",
    GIT_COMMITTER_EMAIL: "tester@localhost",
    PAIRFLOW_TMUX_SOCKET: socket,
  };
  const files = { "README.md": "# shop\n", "src/cart.txt": "total: 1\n", ...options.files };
  const tool = toolOf({
    folder,
    repo,
    key: join(folder, "operator.key"),
    socket,
    env,
    node: options.node ?? process.execPath,
    trusts: options.trusts ?? true,
  });
  for (const [path, text] of Object.entries(files)) tool.write(path, text);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Tester\n\temail = tester@localhost\n");
  tool.git("init", "-q", "-b", "main");
  execFileSync(process.execPath, [cli, "init", "--operator-key", tool.key], { cwd: repo, env });
  tool.git("add", "-A");
  tool.git("commit", "-q", "-m", "first");
  return tool;
}

/** Runs a program without a terminal, whoever runs the tests: granting verbs would take the developer's for a person. */
export function execute(
  [program = "", ...args]: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
    }
    child.once("error", (error) => resolve({ code: 128, ...said, stderr: String(error) }));
    child.once("close", (code) => resolve({ code: code ?? 128, ...said }));
  });
}

function toolOf(base: Pick<Rig, "folder" | "repo" | "key" | "socket" | "env" | "node" | "trusts">): Rig {
  const { repo, env, folder } = base;
  const run = (args: readonly string[]) => {
    if (base.trusts) trustSettings(base);
    return execute([base.node, cli, ...args], { cwd: repo, env });
  };
  const tool: Rig = {
    ...base,
    run: (...args) => run(args),
    async ok(...args) {
      const done = await run(args);
      if (done.code !== 0)
        throw new Error(`pairflow ${args.join(" ")} → ${done.code}\n${done.stdout}\n${done.stderr}`);
      return done.stdout;
    },
    with: (more) => toolOf({ ...base, env: { ...env, ...more } }),
    git: (...args) => execFileSync("git", args, { cwd: repo, env, encoding: "utf8" }),
    write(path, text) {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      writeFileSync(join(repo, path), text);
    },
    script(name, turns) {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, JSON.stringify({ agent: name, turns }));
      return path;
    },
    async status(id) {
      return JSON.parse(await tool.ok("bubble", "status", "--id", id, "--json"));
    },
    transcript: (id) => join(repo, ".pairflow", "bubbles", id, "transcript.ndjson"),
    log: (id) =>
      readFileSync(tool.transcript(id), "utf8")
        .split("\n")
        // Behind the last newline stands nothing, or a line that is just being written.
        .slice(0, -1)
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async until(id, wanted, what, limitMs = 60_000) {
      for (const end = Date.now() + limitMs; ; ) {
        const stamp = recordStamp(repo, id);
        const status = await tool.status(id);
        if (wanted(status)) return status;
        if (Date.now() > end)
          throw new Error(
            `never: ${what}\n${JSON.stringify(status, null, 2)}\n${await tool.ok("log", "--id", id, "--all")}`,
          );
        await recordChange(repo, id, stamp);
      }
    },
    worktree: (id) => join(folder, ".pairflow-worktrees", "shop", id),
    async close() {
      try {
        execFileSync("tmux", ["-L", base.socket, "kill-server"], { stdio: "ignore" });
      } catch {
        // No server was started.
      }
      endLeftovers(repo);
      rmSync(join("/tmp", `tmux-${process.getuid?.() ?? 0}`, base.socket), { force: true });
      await sleep(50);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return tool;
}

/** Ends processes of this rig alone: those whose command line names its repository. */
function endLeftovers(repo: string): void {
  const listed = execFileSync("ps", ["axww", "-o", "pid=,command="], { encoding: "utf8" });
  for (const line of listed.split("\n")) {
    const found = /^\s*(\d+)\s+(.*)$/.exec(line);
    if (!found?.[1] || !found[2]?.includes(repo) || Number(found[1]) === process.pid) continue;
    try {
      process.kill(Number(found[1]), "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
}

export const fullPackage = {
  what: "The total is right",
  why: "It was wrong",
  risks: "None known",
  test_plan: "Read src/cart.txt",
  commit_message: "fix: the total is right",
};

/** The shortest honest bubble: A implements, B finds nothing, roles swap, A converges. */
export const shortest = {
  implementer: [
    {
      role: "implementer",
      steps: [
        { write: { path: "src/cart.txt", text: "total: 2\n" } },
        { pass: { summary: "done", ...fullPackage } },
      ],
    },
    {
      role: "reviewer",
      steps: [
        {
          converge: {
            summary: "nothing found",
            checked: ["src/cart.txt:1 holds the total the task asks for"],
          },
        },
      ],
    },
  ],
  reviewer: [
    {
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: "nothing found",
            no_findings: true,
            checked: ["src/cart.txt:1 holds the total the task asks for"],
          },
        },
      ],
    },
  ],
};

/** One P1 found and fixed, roles alternated. */
export const oneLoop = {
  implementer: [
    {
      role: "implementer",
      steps: [
        { write: { path: "src/cart.txt", text: "total: 3\n" } },
        { pass: { summary: "first try", ...fullPackage } },
      ],
    },
    {
      role: "implementer",
      steps: [{ write: { path: "src/cart.txt", text: "total: 2\n" } }, { pass: { summary: "F1 fixed" } }],
    },
    {
      role: "reviewer",
      steps: [
        {
          converge: {
            summary: "nothing found",
            checked: ["src/cart.txt:1 holds the total the task asks for"],
          },
        },
      ],
    },
  ],
  reviewer: [
    {
      role: "reviewer",
      steps: [{ pass: { summary: "wrong total", findings: ["P1:Total is 3 @ src/cart.txt:1 | total: 3"] } }],
    },
    {
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: "fixed",
            fixed: ["F1"],
            no_findings: true,
            checked: ["src/cart.txt:1 holds the total the task asks for"],
          },
        },
      ],
    },
  ],
};

/** The same script in a bubble that has one criterion: what is looked at is evidence for it. */
export function forCriterion<T>(turns: T): T {
  return JSON.parse(JSON.stringify(turns).replaceAll('"checked":["src/', '"checked":["C1 src/'));
}

/** Creates a bubble whose agents `codex` and `claude` follow the given scripts. */
export async function createScripted(
  tool: Rig,
  id: string,
  turns: { implementer: unknown; reviewer: unknown },
  ...flags: string[]
): Promise<void> {
  const codex = tool.script(`${id}-codex`, turns.implementer);
  const claude = tool.script(`${id}-claude`, turns.reviewer);
  const tests =
    flags.includes("--test") || flags.includes("--no-tests") ? [] : ["--test", "grep -q total src/cart.txt"];
  // Hooks of the repository are confirmed with everything else.
  const yes = flags.includes("--yes") ? [] : ["--yes"];
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", ...tests, ...yes, ...flags);
  const file = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  const agents = `\n[agent.codex]\nadapter = "scripted"\nscript = ${JSON.stringify(codex)}\n\n[agent.claude]\nadapter = "scripted"\nscript = ${JSON.stringify(claude)}\n`;
  writeFileSync(file, readFileSync(file, "utf8") + agents);
  if (tool.trusts) trustSettings(tool);
}

/** Both reviews of a clean run, with evidence for these files. */
export function cleanReviews(...paths: string[]): { readonly pass: object; readonly converge: object } {
  const checked = paths.map((path) => `${path}:1 says what the task asks ${path} to say`);
  return {
    pass: { role: "reviewer", steps: [{ pass: { summary: "nothing found", no_findings: true, checked } }] },
    converge: { role: "reviewer", steps: [{ converge: { summary: "nothing found", checked } }] },
  };
}
