// A throw-away repository with one bubble, for the tests of the git workspace. The user of this scene has a
// name, a home folder and no other configuration.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createGitWorkspace } from "../../src/adapters/workspace/git.ts";
import type { CrashPoint } from "../../src/ports/crash-point.ts";
import type { WorkspacePlace } from "../../src/ports/workspace.ts";

export type Files = Record<string, string>;

const folders: string[] = [];

export function removeScenes(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** `main` holds one commit with `first`; the bubble `b1` is not prepared yet. */
export function scene(
  first: Files = { "a.txt": "one\n", "src/b.txt": "two\n" },
  more: Partial<WorkspacePlace> = {},
) {
  const root = mkdtempSync(join(tmpdir(), "pairflow-workspace-"));
  folders.push(root);
  const home = join(root, "home");
  const repo = join(root, "repo");
  write(home, { ".gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.org\n" });
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  mkdirSync(repo);
  gitIn(repo, "init", "-q", "-b", "main");
  write(repo, first);
  gitIn(repo, "add", "-A");
  gitIn(repo, "commit", "-qm", "first");
  const path = join(root, "trees", "b1");
  const baseCommit = gitIn(repo, "rev-parse", "HEAD");
  const place: WorkspacePlace = {
    repo,
    path,
    branch: "pf/b1",
    baseCommit,
    mode: "worktree",
    bubble: "b1",
    ...more,
  };
  const open = (crashPoint: CrashPoint = () => undefined) =>
    createGitWorkspace({
      processes: createNodeProcesses(),
      runtimeDir: join(root, "runtime"),
      env,
      crashPoint,
    });
  return {
    root,
    home,
    repo,
    place,
    open,
    workspace: open(),
    gitIn,
    /** Git in the main checkout. */
    git: (...args: string[]) => gitIn(repo, ...args),
    /** Git in the bubble's tree, as the agent there would use it. */
    agent: (...args: string[]) => gitIn(path, ...args),
    edit: (files: Files) => write(path, files),
    read: (name: string) => readFileSync(join(path, name), "utf8"),
  };
}

/** The same with its worktree or clone made. */
export async function prepared(first?: Files, more: Partial<WorkspacePlace> = {}) {
  const one = scene(first, more);
  return { ...one, ...(await one.workspace.prepare(one.place)) };
}

export function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export function writeHook(file: string, body = "exit 1"): void {
  write(dirname(file), { [file.slice(dirname(file).length + 1)]: `#!/bin/sh\n${body}\n` });
  chmodSync(file, 0o755);
}
