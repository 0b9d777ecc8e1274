// Short questions to git about a repository, for people's screens. An answer that git does not give is undefined,
// never an error: these screens must work where git does not.

import { createNodeProcesses } from "../../adapters/process/node.ts";
import { pickGitEnv } from "../../adapters/workspace/plumbing/runner.ts";
import { readGitStatus } from "../../adapters/workspace/plumbing/status.ts";
import { tryOrLater } from "../../core/model/value/try-or.ts";
import { safeArguments } from "../../core/permission/git/programs.ts";
import type { ExecResult } from "../../ports/system/process.ts";

/** What a program prints and how it ends, or undefined when it cannot be started. */
export function tryRun(
  argv: readonly string[],
  env = pickGitEnv(process.env),
): Promise<ExecResult | undefined> {
  return tryOrLater(() => createNodeProcesses().exec(argv, { env, timeoutMs: 10_000 }), undefined);
}

/** A git command for a repository, with which no program named by a configuration file runs. */
export function buildGitCommand(repo: string, ...args: string[]): string[] {
  return ["git", ...safeArguments, "-C", repo, ...args];
}

/**
 * git's answer without its last newline, or undefined when it has none. For questions about refs, objects and settings;
 * what became of files is asked with `changedFiles`.
 */
export async function askGit(repo: string, ...args: string[]): Promise<string | undefined> {
  const result = await tryRun(buildGitCommand(repo, ...args));
  return result?.code === 0 ? result.stdout.trimEnd() : undefined;
}

/** Whether git ignores a path; undefined when it cannot say. */
export async function isIgnored(repo: string, path: string): Promise<boolean | undefined> {
  const result = await tryRun(buildGitCommand(repo, "check-ignore", "-q", path));
  return result === undefined || result.code > 1 ? undefined : result.code === 0;
}

/** `git status --porcelain -z` of a person's checkout, as far as these places are concerned; undefined when git cannot say. */
export function askChangedFiles(repo: string, ...args: string[]): Promise<string | undefined> {
  return tryOrLater(() => readGitStatus(createNodeProcesses(), repo, args), undefined);
}
