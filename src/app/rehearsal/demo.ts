// The demo's throw-away repository and its bubble: two scripted agents on a real bug, real git, real tests.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerKey } from "../caller/operator-key.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import { initialise } from "../config/init.ts";
import { keepCheckoutsIn } from "../host/clean-root.ts";
import { runGitInOwn } from "../host/own-repository.ts";
import { findPackageRoot } from "../host/package-root.ts";
import { keepUserFolderIn } from "../host/user-folder.ts";
import { makeBubble } from "../making/make.ts";
import { stopBubble } from "../operate/end.ts";
import { readTask } from "../task/file.ts";
import { confirmOwnPrograms } from "../trust/confirm.ts";
import type { OperatorCall } from "../trust/operator-call.ts";
import { createWorld } from "../world/world.ts";

export interface Demo extends OperatorCall {
  readonly repo: string;
  readonly keyFile: string;
}

export const demoBubble = "fix-discount";
export const demoAnswer = "Before tax";

/** A folder for everything a demo makes: repository, worktree, clean checkouts, keys. */
export function makeDemoFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-demo-"));
  keepUserFolderIn(folder);
  keepCheckoutsIn(folder);
  return folder;
}

/** Ends what still runs for the demo and takes its folder away. */
export async function removeDemo(folder: string, demo: Demo | undefined): Promise<void> {
  if (demo) await stopBubble(demo, "the demo is over");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Makes the repository with the bug and creates the bubble in it. */
export async function prepareDemo(folder: string): Promise<Demo> {
  const repo = join(folder, "shop");
  const examples = join(findPackageRoot(), "examples", "demo");
  mkdirSync(repo);
  cpSync(join(examples, "repo"), repo, { recursive: true });
  await runGit(repo, ["init", "-q", "-b", "main"]);
  const keyFile = join(folder, "operator.key");
  initialise(repo, { isPrivate: false, config: "" });
  registerKey(repo, keyFile, folder);
  await runGit(repo, ["add", "-A"]);
  await runGit(repo, [
    "-c",
    "user.name=Demo",
    "-c",
    "user.email=demo@localhost",
    "commit",
    "-q",
    "-m",
    "A cart that ignores discounts",
  ]);
  await runGit(repo, ["config", "user.name", "Demo"]);
  await runGit(repo, ["config", "user.email", "demo@localhost"]);
  const world = createWorld(repo, "process");
  const baseCommit = await world.workspace.resolve(repo, "main");
  const agent = (name: string) => ({ adapter: "scripted", script: join(examples, `${name}.yaml`) });
  const config = completeConfigValues({
    id: demoBubble,
    repo_path: repo,
    base_branch: "main",
    bubble_branch: `bubble/${demoBubble}`,
    agents: { implementer: "codex", reviewer: "claude" },
    agent: { codex: agent("codex"), claude: agent("claude") },
    notifications: { enabled: false },
  });
  const profile = {
    gates: [{ name: "test", command: "npm test --silent", required: true, timeout_seconds: 60 }],
    source: "given by the demo",
    confirmed: true,
  };
  await confirmOwnPrograms(world, { config, gates: profile.gates });
  await makeBubble(world, {
    config,
    profile,
    task: readTask(join(examples, "task.md"), repo, []),
    baseCommit,
  });
  writeFileSync(
    join(folder, "README.txt"),
    "Made by `pairflow demo`. Delete this folder whenever you like.\n",
  );
  return { world, bubble: demoBubble, via: "operator-key", repo, keyFile };
}

const runGit = (cwd: string, args: readonly string[]) => runGitInOwn(cwd, args, "demo.git");

/** The commit as people look at it. */
export function showCommit(repo: string, branch: string): Promise<string> {
  return runGit(repo, ["log", "-1", "--stat", branch]);
}
