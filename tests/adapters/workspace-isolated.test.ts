// A clean checkout for a gate: exactly one tree, a repository of its own, nothing of it left afterwards.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Workspace, WorkspacePlace } from "../../src/ports/workspace.ts";
import { prepared, removeScenes } from "./workspace-scene.ts";

afterAll(removeScenes);

const first = { "a.txt": "one\n", "src/b.txt": "two\n", ".gitignore": "build/\n" };

/** A clean checkout of the tree beside the worktree. */
async function checkout(workspace: Workspace, place: WorkspacePlace, tree: string): Promise<string> {
  const path = `${place.path}.gate-test`;
  await workspace.clean.make(place, tree, path);
  return path;
}

describe.each(["worktree", "clone"] as const)("a checkout beside a %s", (mode) => {
  it("holds the tree and nothing that lies about", async () => {
    const { workspace, place, edit } = await prepared(first, { mode });
    edit({ "a.txt": "ONE\n", "new.txt": "new\n", "build/out.js": "ignored\n" });
    const { tree } = await workspace.snapshot(place, "t1");
    edit({ "later.txt": "not judged\n" });
    const path = await checkout(workspace, place, tree);
    expect(readdirSync(path).sort()).toEqual([".git", ".gitignore", "a.txt", "new.txt", "src"]);
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("ONE\n");
  });

  it("is a clean repository that stands on the base, and git in it touches nothing else", async () => {
    const { workspace, place, edit, gitIn, git, agent } = await prepared(first, { mode });
    edit({ "new.txt": "new\n" });
    const { tree } = await workspace.snapshot(place, "t1");
    const path = await checkout(workspace, place, tree);
    expect(gitIn(path, "status", "--porcelain")).toBe("");
    expect(gitIn(path, "rev-parse", "HEAD^{tree}")).toBe(tree);
    expect(gitIn(path, "diff", "--name-only", "HEAD~1")).toBe("new.txt");
    expect(gitIn(path, "log", "--format=%s")).toContain("first");
    const before = [git("for-each-ref"), agent("for-each-ref"), agent("status", "--porcelain")];
    gitIn(path, "commit", "--allow-empty", "-qm", "mischief");
    gitIn(path, "clean", "-fdxq");
    gitIn(path, "tag", "oops");
    expect([git("for-each-ref"), agent("for-each-ref"), agent("status", "--porcelain")]).toEqual(before);
    expect(git("worktree", "list").split("\n")).toHaveLength(mode === "worktree" ? 2 : 1);
  });

  it("replaces what a dead driver left, and is gone when it is discarded, twice too", async () => {
    const { workspace, place, tree } = await prepared(first, { mode });
    const path = await checkout(workspace, place, tree);
    const again = await checkout(workspace, place, tree);
    expect(again).toBe(path);
    await workspace.clean.discard(path);
    await workspace.clean.discard(path);
    expect(existsSync(path)).toBe(false);
  });

  it("goes with the bubble's workspace", async () => {
    const { workspace, place, tree } = await prepared(first, { mode });
    const path = await checkout(workspace, place, tree);
    await workspace.remove(place, { dropBranch: true });
    expect(existsSync(path)).toBe(false);
  });
});
