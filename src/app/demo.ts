// The demo's throw-away repository and its bubble: two scripted agents on a real bug, real git, real tests.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeProcesses } from "../adapters/process/node.ts";
import { Failure } from "../ports/failure.ts";
import { completeConfig } from "./config/bubble-file.ts";
import { create } from "./create.ts";
import { initialise } from "./init.ts";
import type { Desk } from "./operate/desk.ts";
import { registerKey } from "./operator-key.ts";
import { packageRoot } from "./package-root.ts";
import { readTask } from "./task/file.ts";
import { worldOf } from "./world.ts";

export interface Demo extends Desk {
  readonly repo: string;
  readonly keyFile: string;
}

export const demoBubble = "fix-discount";
export const demoAnswer = "Before tax";

/** Makes the repository with the bug and creates the bubble in it. */
export async function prepareDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-demo-"));
  const repo = join(folder, "shop");
  const examples = join(packageRoot(), "examples", "demo");
  mkdirSync(repo);
  cpSync(join(examples, "repo"), repo, { recursive: true });
  await git(repo, ["init", "-q", "-b", "main"]);
  const keyFile = join(folder, "operator.key");
  await initialise(repo, false);
  registerKey(repo, keyFile, folder);
  await git(repo, ["add", "-A"]);
  await git(repo, [
    "-c",
    "user.name=Demo",
    "-c",
    "user.email=demo@localhost",
    "commit",
    "-q",
    "-m",
    "A cart that ignores discounts",
  ]);
  await git(repo, ["config", "user.name", "Demo"]);
  await git(repo, ["config", "user.email", "demo@localhost"]);
  const world = worldOf(repo, "process");
  const baseCommit = await world.workspace.resolve(repo, "main");
  const agent = (name: string) => ({ adapter: "scripted", script: join(examples, `${name}.yaml`) });
  const config = completeConfig({
    id: demoBubble,
    repo_path: repo,
    base_branch: "main",
    bubble_branch: `bubble/${demoBubble}`,
    agents: { implementer: "codex", reviewer: "claude" },
    agent: { codex: agent("codex"), claude: agent("claude") },
    notifications: { enabled: false },
  });
  await create(world, {
    config,
    profile: {
      gates: [{ name: "test", command: "npm test --silent", required: true, timeout_seconds: 60 }],
      source: "given by the demo",
      confirmed: true,
    },
    task: readTask(join(examples, "task.md"), repo, []),
    baseCommit,
  });
  writeFileSync(
    join(folder, "README.txt"),
    "Made by `pairflow demo`. Delete this folder whenever you like.\n",
  );
  return { world, bubble: demoBubble, via: "operator-key", repo, keyFile };
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const done = await nodeProcesses().exec(["git", ...args], { cwd, env: { PATH, HOME, LC_ALL: "C" } });
  if (done.code !== 0) throw new Failure("demo.git", `git ${args[0]} failed: ${done.stderr.trim()}`);
  return done.stdout;
}

/** The commit as people look at it. */
export function showCommit(repo: string, branch: string): Promise<string> {
  return git(repo, ["log", "-1", "--stat", branch]);
}
