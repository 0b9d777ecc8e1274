// A throw-away repository and the real command line: what acceptance tests, fault campaigns and benches stand on.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rememberRepository } from "../../src/app/host/repositories/list.ts";
import { getUserFile, getUserFolder } from "../../src/app/host/user-folder.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { cli, execute, type Ran, removeAtExit, runInHost } from "../helpers/commands.ts";
import { recordChange, recordStamp } from "../helpers/record-changes.ts";
import { confirmSettings } from "../helpers/trust.ts";

export { cli, execute, type Ran };

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
  const socket = `pf-test-${process.pid}-${++made}`;
  const base = {
    folder,
    repo: join(folder, "shop"),
    key: join(folder, "operator.key"),
    socket,
    env: environmentIn(folder, socket),
    node: options.node ?? process.execPath,
    trusts: options.trusts ?? true,
  };
  const tool = toolOf(base, options.node !== undefined);
  prepare(tool, { "README.md": "# shop\n", "src/cart.txt": "total: 1\n", ...options.files });
  return tool;
}

const environmentIn = (folder: string, socket: string): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: join(folder, "home"),
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
});

/** Repositories as `pairflow init` left them, by their first files: each is made once and then copied. */
const prepared = new Map<string, Rig>();
/** Where they are: a test that moves TMPDIR for a while, and removes that folder, takes none of them along. */
const templates = tmpdir();

function prepare(tool: Rig, files: Readonly<Record<string, string>>): void {
  const wanted = JSON.stringify(files);
  const known = prepared.get(wanted) ?? makeTemplate(files);
  prepared.set(wanted, known);
  for (const name of ["shop", "home"])
    cpSync(join(known.folder, name), join(tool.folder, name), { recursive: true });
  makeOwnKey(tool, known);
  // So is the repository itself.
  rmSync(join(getUserFolder(tool.env), "repositories"), { force: true });
  rememberRepository(tool.repo, tool.env);
  // What git remembers of the files is about those that were copied.
  tool.git("update-index", "-q", "--refresh");
}

/** Every repository has a key of its own, whose hash is listed under the repository's path. */
function makeOwnKey(tool: Rig, known: Rig): void {
  const own = randomBytes(32).toString("base64url");
  writeFileSync(tool.key, `${own}\n`, { mode: 0o600 });
  const listed = readFileSync(keyListOf(known), "utf8");
  const copied = join(tool.folder, relative(known.folder, keyListOf(known)));
  rmSync(copied);
  writeFileSync(keyListOf(tool), listed.replace(hashKey(readFileSync(known.key, "utf8")), hashKey(own)), {
    mode: 0o600,
  });
}

const hashKey = (key: string): string => createHash("sha256").update(key.trim()).digest("hex");

const keyListOf = ({ repo, env }: Rig): string => getUserFile("operator-keys", repo, env);

function makeTemplate(files: Readonly<Record<string, string>>): Rig {
  const folder = mkdtempSync(join(templates, "pairflow-template-"));
  removeAtExit(folder);
  const [repo, key, socket] = [join(folder, "shop"), join(folder, "operator.key"), ""];
  const env = environmentIn(folder, socket);
  const tool = toolOf({ folder, repo, key, socket, env, node: process.execPath, trusts: false }, true);
  mkdirSync(join(folder, "home"));
  for (const [path, text] of Object.entries(files)) tool.write(path, text);
  writeFileSync(join(folder, "home", ".gitconfig"), "[user]\n\tname = Tester\n\temail = tester@localhost\n");
  tool.git("init", "-q", "-b", "main");
  execFileSync(process.execPath, [cli, "init", "--operator-key", key], { cwd: repo, env });
  tool.git("add", "-A");
  tool.git("commit", "-q", "-m", "first");
  return tool;
}

type Base = Pick<Rig, "folder" | "repo" | "key" | "socket" | "env" | "node" | "trusts">;

/** Variables that say what kills the process, how its Node runs, or for whose turn it speaks: they need one of their own. */
const isAboutProcess = (name: string): boolean => /^NODE_|^PAIRFLOW_(CRASH|TURN|WORK|REPO|BUBBLE)/.test(name);

/** `alone`: each command is a process of its own. */
function toolOf(base: Base, alone: boolean): Rig {
  const { repo, env, folder } = base;
  const run = (args: readonly string[]) => {
    if (base.trusts) confirmSettings(base);
    const place = { cwd: repo, env };
    return alone ? execute([base.node, cli, ...args], place) : runInHost(args, place);
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
    with: (more) =>
      toolOf({ ...base, env: { ...env, ...more } }, alone || Object.keys(more).some(isAboutProcess)),
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
      const server = join("/tmp", `tmux-${process.getuid?.() ?? 0}`, base.socket);
      const hasServer = existsSync(server);
      if (hasServer) endServer(base.socket);
      const hasEnded = endLeftovers(repo);
      rmSync(server, { force: true });
      if (hasServer || hasEnded) await sleep(50);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return tool;
}

function endServer(socket: string): void {
  try {
    execFileSync("tmux", ["-L", socket, "kill-server"], { stdio: "ignore" });
  } catch {
    // It ended by itself.
  }
}

/** Ends processes of this rig alone: those whose command line names its repository. Whether there were any. */
function endLeftovers(repo: string): boolean {
  const found = listCommandLines().filter(({ pid, line }) => line.includes(repo) && pid !== process.pid);
  for (const { pid } of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
  return found.length > 0;
}

/** Read where the system shows them as files, since a process for each rig that is closed would be a thousand of them. */
function listCommandLines(): { pid: number; line: string }[] {
  if (!existsSync("/proc/self/cmdline")) return askForCommandLines();
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [{ pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, "latin1") }];
    } catch {
      return [];
    }
  });
}

function askForCommandLines(): { pid: number; line: string }[] {
  const listed = execFileSync("ps", ["axww", "-o", "pid=,command="], { encoding: "utf8" });
  return listed.split("\n").flatMap((row) => {
    const found = /^\s*(\d+)\s+(.*)$/.exec(row);
    return found ? [{ pid: Number(found[1]), line: found[2] ?? "" }] : [];
  });
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

/** Creates a bubble whose agents `codex` and `claude` follow the given scripts; what that printed. */
export async function createScripted(
  tool: Rig,
  id: string,
  turns: { implementer: unknown; reviewer: unknown },
  ...flags: string[]
): Promise<string> {
  const codex = tool.script(`${id}-codex`, turns.implementer);
  const claude = tool.script(`${id}-claude`, turns.reviewer);
  const tests = ["--test", "--no-tests", "--document"].some((flag) => flags.includes(flag))
    ? []
    : ["--test", "grep -q total src/cart.txt"];
  // Hooks of the repository are confirmed with everything else.
  const yes = flags.includes("--yes") ? [] : ["--yes"];
  const task = flags.includes("--task") ? [] : ["--task", "Make the total right"];
  const printed = await tool.ok("bubble", "create", "--id", id, ...task, ...tests, ...yes, ...flags);
  const file = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  const agents = `\n[agent.codex]\nadapter = "scripted"\nscript = ${JSON.stringify(codex)}\n\n[agent.claude]\nadapter = "scripted"\nscript = ${JSON.stringify(claude)}\n`;
  writeFileSync(file, readFileSync(file, "utf8") + agents);
  if (tool.trusts) confirmSettings(tool);
  return printed;
}

/** Both reviews of a clean run, with evidence for these files. */
export function cleanReviews(...paths: string[]): { readonly pass: object; readonly converge: object } {
  const checked = paths.map((path) => `${path}:1 says what the task asks ${path} to say`);
  return {
    pass: { role: "reviewer", steps: [{ pass: { summary: "nothing found", no_findings: true, checked } }] },
    converge: { role: "reviewer", steps: [{ converge: { summary: "nothing found", checked } }] },
  };
}
