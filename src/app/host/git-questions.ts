// Short questions to git about a repository, for people's screens. An answer that git does not give is undefined,
// never an error: these screens must work where git does not.
import { nodeProcesses } from "../../adapters/process/node.ts";
import { gitEnv } from "../../adapters/workspace/runner.ts";
import { statusOf } from "../../adapters/workspace/status.ts";
import { safeArguments } from "../../core/permission/git-programs.ts";
import type { ExecResult } from "../../ports/process.ts";

/** What a program prints and how it ends, or undefined when it cannot be started. */
export async function tryRun(
  argv: readonly string[],
  env = gitEnv(process.env),
): Promise<ExecResult | undefined> {
  try {
    return await nodeProcesses().exec(argv, { env, timeoutMs: 10_000 });
  } catch {
    return undefined;
  }
}

/** A git command for a repository, with which no program named by a configuration file runs. */
export function gitCommand(repo: string, ...args: string[]): string[] {
  return ["git", ...safeArguments, "-C", repo, ...args];
}

/**
 * git's answer without its last newline, or undefined when it has none. For questions about refs, objects and settings;
 * what became of files is asked with `changedFiles`.
 */
export async function askGit(repo: string, ...args: string[]): Promise<string | undefined> {
  const result = await tryRun(gitCommand(repo, ...args));
  return result?.code === 0 ? result.stdout.trimEnd() : undefined;
}

/** Whether git ignores a path; undefined when it cannot say. */
export async function isIgnored(repo: string, path: string): Promise<boolean | undefined> {
  const result = await tryRun(gitCommand(repo, "check-ignore", "-q", path));
  return result === undefined || result.code > 1 ? undefined : result.code === 0;
}

/** `git status --porcelain -z` of a person's checkout, as far as these places are concerned; undefined when git cannot say. */
export async function changedFiles(repo: string, ...args: string[]): Promise<string | undefined> {
  try {
    return await statusOf(nodeProcesses(), repo, args);
  } catch {
    return undefined;
  }
}
