// How git is called, always: a scrubbed environment, an explicit git folder, and settings that an agent's
// edit of a configuration file cannot turn into a program run by the referee or into a change it does not see.
import { setTimeout as pause } from "node:timers/promises";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { ExecResult, Processes } from "../../ports/process.ts";

/** What every part of this adapter works with. */
export interface Kit {
  readonly processes: Processes;
  /** Holds the private index of each bubble. */
  readonly runtimeDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly crashPoint: CrashPoint;
}

/** Where a git command looks. Without `gitDir` git finds it by itself, which only `clone` needs. */
export interface Dirs {
  readonly workTree: string;
  readonly gitDir?: string;
  /** An index of our own; without it git uses the one of `gitDir`. */
  readonly index?: string;
}

export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly maxBytes?: number;
}

/** Long enough for a first checkout of a very large repository; a hung git still ends. */
const timeoutMs = 600_000;

const settings = [
  // No program named by a configuration file runs.
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "gc.auto=0",
  "maintenance.auto=false",
  // No change to a file stays unseen.
  "core.ignoreStat=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.sparseCheckout=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "index.version=2",
  // The same outcome whatever the user's taste.
  "core.safecrlf=false",
  "core.quotePath=false",
  "submodule.recurse=false",
  "i18n.commitEncoding=UTF-8",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

/** The part of the caller's environment git may see; the user's own configuration counts, for the identity. */
export function gitEnv(from: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = ["PATH", "HOME", "XDG_CONFIG_HOME"].flatMap((name) => {
    const value = from[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A replacement ref could show one commit and mean another.
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}

/** A neighbour's worktree is registered file by file; who looks in between finds one that cannot be read yet. */
const halfRegistered = /failed to read .*\/worktrees\/[^/]+\/(?:commondir|gitdir|HEAD)/;
const waitsMs = [10, 30, 100, 300, 1_000];

/** Runs git and returns whatever it answers. */
export async function tryGit(
  kit: Kit,
  dirs: Dirs,
  args: readonly string[],
  more: GitOptions = {},
): Promise<ExecResult> {
  for (const ms of waitsMs) {
    const result = await runOnce(kit, dirs, args, more);
    if (result.code === 0 || !halfRegistered.test(result.stderr)) return result;
    await pause(ms);
  }
  return runOnce(kit, dirs, args, more);
}

function runOnce(kit: Kit, dirs: Dirs, args: readonly string[], more: GitOptions): Promise<ExecResult> {
  const env = {
    ...kit.env,
    ...(dirs.gitDir && { GIT_DIR: dirs.gitDir, GIT_WORK_TREE: dirs.workTree }),
    ...(dirs.index && { GIT_INDEX_FILE: dirs.index }),
    ...more.env,
  };
  return kit.processes.exec(["git", ...settings, ...args], {
    cwd: dirs.workTree,
    env,
    timeoutMs,
    ...(more.input !== undefined && { input: more.input }),
    ...(more.maxBytes !== undefined && { maxBytes: more.maxBytes }),
  });
}

/** Runs git and returns its stdout. Throws Failure `git.failed` with git's own words. */
export async function git(kit: Kit, dirs: Dirs, args: readonly string[], more?: GitOptions): Promise<string> {
  const result = await tryGit(kit, dirs, args, more);
  if (result.code !== 0) throw gitFailure("git.failed", args, result);
  return result.stdout;
}

/** The same without the newline at the end. */
export async function gitLine(
  kit: Kit,
  dirs: Dirs,
  args: readonly string[],
  more?: GitOptions,
): Promise<string> {
  return (await git(kit, dirs, args, more)).trim();
}

export function gitFailure(
  code: string,
  args: readonly string[],
  result: ExecResult,
  more: { hint?: string; retryable?: boolean } = {},
): Failure {
  const words = result.stderr.trim().split("\n").slice(0, 5).join("\n");
  // A lock of another git process is gone a moment later.
  const retryable = /\.lock': File exists/.test(words);
  return new Failure(code, `git ${args[0]}: ${words || `exit code ${result.code}`}`, { retryable, ...more });
}

/** What the configuration says when none of our own settings speak over it; empty when it says nothing. */
export async function readSetting(kit: Kit, dirs: Dirs, key: string, type: "bool" | "path"): Promise<string> {
  const env = { ...kit.env, ...(dirs.gitDir && { GIT_DIR: dirs.gitDir }) };
  const args = ["config", `--type=${type}`, key];
  const result = await kit.processes.exec(["git", ...args], { cwd: dirs.workTree, env });
  if (result.code > 1) throw gitFailure("git.failed", args, result);
  return result.stdout.trim();
}

/** The items of a `-z` listing. */
export function splitZ(text: string): string[] {
  return text.split("\0").filter((item) => item !== "");
}
