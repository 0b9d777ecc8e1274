// Git on the repository that holds the objects of a tree.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { safeArguments, safeVariables } from "../../core/permission/git/programs.ts";
import { Failure } from "../../ports/failure.ts";
import type { TreeHome } from "../../ports/record/trees.ts";
import type { Processes } from "../../ports/system/process.ts";

/** Runs git and returns its stdout. */
export type Git = (
  args: readonly string[],
  input?: string,
  encoding?: "utf8" | "latin1",
  maxBytes?: number,
) => Promise<string>;

export function isId(tree: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(tree);
}

export function getTreeRoot({ config, workspace }: TreeHome, repo = config.repo_path): string {
  const clone = config.work_mode === "clone" ? workspace?.path : undefined;
  return clone && existsSync(join(clone, ".git")) ? clone : repo;
}

export function createGit(
  root: string,
  processes: Pick<Processes, "exec">,
  from: Readonly<Record<string, string | undefined>>,
): Git {
  const env = {
    PATH: from.PATH ?? "",
    HOME: from.HOME ?? "",
    ...(from.XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME: from.XDG_CONFIG_HOME }),
    ...safeVariables,
    GIT_LITERAL_PATHSPECS: "1",
    // A repository further up is never meant.
    GIT_CEILING_DIRECTORIES: dirname(root),
  };
  return async (args, input = "", encoding = "utf8", maxBytes) => {
    const result = await processes.exec(["git", ...safeArguments, ...args], {
      cwd: root,
      env,
      input,
      encoding,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
    if (result.code === 0) return result.stdout;
    throw new Failure("git.failed", `git ${args[0]}: ${result.stderr.trim() || `exit code ${result.code}`}`);
  };
}
