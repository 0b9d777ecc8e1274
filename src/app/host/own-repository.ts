// git in repositories that Pairflow makes for itself: the demo's, a dry run's, a stall of the reviewer's bench. Neither
// the user's nor the machine's configuration counts there, so that none of its hooks, filters or signatures run.
import { nodeProcesses } from "../../adapters/process/node.ts";
import { gitEnv } from "../../adapters/workspace/runner.ts";
import { safeArguments, withoutUserSettings } from "../../core/permission/git-programs.ts";
import { Failure } from "../../ports/failure.ts";

/** Runs git there and returns its stdout. Throws Failure with the given code. */
export async function gitInOwn(cwd: string, args: readonly string[], code: string): Promise<string> {
  const env = { ...gitEnv(process.env), ...withoutUserSettings };
  const done = await nodeProcesses().exec(["git", ...safeArguments, ...args], { cwd, env });
  if (done.code !== 0) throw new Failure(code, `git ${args[0]} failed: ${done.stderr.trim()}`);
  return done.stdout;
}
