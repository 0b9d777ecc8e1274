// Claude Code killed in the middle of a sandboxed command: what is then in the worktree, before and after what its
// adapter knows as left behind is taken away.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { listLeftovers } from "../../src/adapters/agent/claude/sandbox.ts";
import { claudeRig } from "./claude-rig.ts";

export interface Killed {
  /** Untracked files right after the kill. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** What the adapter knows, in the worktree and outside. */
  readonly left: readonly string[];
}

/** The project's own files that look a little like what a sandbox leaves. */
export const own = [".claude/notes.md", ".gitkeep", ".zshrc", "pkg/__init__.py"];

export async function killInCommand(program?: string): Promise<Killed> {
  const command = "tail -f /dev/null";
  await using rig = await claudeRig({
    ...(program ? { settings: { program } } : {}),
    model: () => ({ calls: [{ tool: "Bash", input: { command, description: "a test" } }] }),
  });
  for (const folder of [".claude", "pkg"]) await mkdir(join(rig.worktree, folder));
  for (const file of own)
    await writeFile(join(rig.worktree, file), file === ".zshrc" ? "# the project's own\n" : "");
  const run = rig.run(rig.request());
  await expect.poll(() => untracked(rig.worktree), { timeout: 60_000 }).toContain(".bashrc");
  run.kill("SIGKILL");
  await run.exited();
  const before = untracked(rig.worktree);
  const left = listLeftovers(rig.worktree);
  for (const file of left) rmSync(file);
  return { before, after: untracked(rig.worktree), left };
}

function untracked(worktree: string): string[] {
  const args = ["-C", worktree, "ls-files", "--others", "--exclude-standard"];
  return execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}
