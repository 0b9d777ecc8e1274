// git in repositories that Pairflow makes for itself: the demo's, a dry run's, a stall of the reviewer's bench. Neither
// the user's nor the machine's configuration counts there, so that none of its hooks, filters or signatures run.
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { pickGitEnv } from "../../adapters/workspace/plumbing/runner.ts";
import { safeArguments, withoutUserSettings } from "../../core/permission/git/programs.ts";
import { Failure } from "../../ports/failure.ts";

/** Runs git there and returns its stdout. Throws Failure with the given code. */
export async function runGitInOwn(cwd: string, args: readonly string[], code: string): Promise<string> {
  const env = { ...pickGitEnv(process.env), ...withoutUserSettings };
  const done = await createNodeProcesses().exec(["git", ...safeArguments, ...args], { cwd, env });
  if (done.code !== 0) throw new Failure(code, `git ${args[0]} failed: ${done.stderr.trim()}`);
  return done.stdout;
}
