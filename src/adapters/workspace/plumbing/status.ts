// What differs in a person's own checkout, for screens. Files are compared through a private git folder that lives as
// long as the question: it works where Pairflow has no folder of its own, and no filter of the repository runs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Processes } from "../../../ports/system/process.ts";
import { openRepo } from "../location.ts";
import { type Kit, pickGitEnv, runGit } from "./runner.ts";

/** `git status --porcelain -z` with these further arguments. Throws Failure where git cannot say. */
export async function readGitStatus(
  processes: Processes,
  root: string,
  args: readonly string[],
): Promise<string> {
  const runtimeDir = mkdtempSync(join(tmpdir(), "pairflow-git-"));
  try {
    const kit: Kit = { processes, runtimeDir, crashPoint: () => undefined, env: pickGitEnv(process.env) };
    const submodules = "--ignore-submodules=dirty";
    return await runGit(kit, openRepo(root), ["status", "--porcelain", "-z", submodules, ...args]);
  } finally {
    rmSync(runtimeDir, { recursive: true, force: true });
  }
}
