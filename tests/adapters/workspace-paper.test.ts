// A tree with a paper in it, made in git's objects alone: nothing of the bubble's own moves.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prepared, removeScenes } from "./workspace-scene.ts";

afterAll(removeScenes);

type Scene = Awaited<ReturnType<typeof prepared>>;

const path = ".pairflow/papers/plan.json";
const adds = (s: Scene, tree: string, text = '{ "title": "Codes" }\n', pin = "paper-001-t1") =>
  s.workspace.addFile(s.place, { tree, path, text, pin });
const files = (s: Scene, tree: string) => s.git("ls-tree", "-r", "--name-only", tree).split("\n");

describe.each(["worktree", "clone"] as const)("G9 a file more in a tree, in a %s", (mode) => {
  it("stands in the tree and nowhere else: worktree and index are as they were", async () => {
    const s = await prepared(undefined, { mode });
    s.edit({ "a.txt": "staged\n", "draft.txt": "not handed over\n" });
    s.agent("add", "a.txt");
    const before = [s.agent("status", "--porcelain"), s.agent("diff", "--cached")];
    const { tree, commit, ref } = await adds(s, s.tree);
    expect(files(s, tree)).toEqual([path, "a.txt", "src/b.txt"]);
    expect(s.git("show", `${tree}:${path}`)).toBe('{ "title": "Codes" }');
    expect(s.git("show", `${tree}:a.txt`)).toBe("one");
    expect([s.agent("status", "--porcelain"), s.agent("diff", "--cached")]).toEqual(before);
    expect(await s.workspace.treeId(s.place)).not.toBe(tree);
    expect(ref).toBe("refs/pairflow/b1/paper-001-t1");
    // Pinned on the base, in the main repository too.
    expect(s.git("rev-parse", ref, `${ref}^`, `${ref}^{tree}`).split("\n")).toEqual([
      commit,
      s.place.baseCommit,
      tree,
    ]);
  });

  it("leaves the newest handoff what it is, and can be built on it", async () => {
    const s = await prepared(undefined, { mode });
    s.edit({ "a.txt": "work\n" });
    const round = await s.workspace.snapshot(s.place, "round-001-t1");
    const latest = s.git("rev-parse", "refs/pairflow/b1/latest");
    const { tree } = await adds(s, round.tree);
    expect(s.git("rev-parse", "refs/pairflow/b1/latest")).toBe(latest);
    expect(s.git("show", `${tree}:a.txt`)).toBe("work");
    expect(await s.workspace.changedBetween(s.place, round.tree, tree)).toMatchObject([
      { path, status: "added" },
    ]);
    expect(await s.workspace.diff(s.place, round.tree, tree)).toContain('+{ "title": "Codes" }');
  });

  it("is the same when it is made again, and another one for another text", async () => {
    const s = await prepared(undefined, { mode });
    const first = await adds(s, s.tree);
    expect(await adds(s, s.tree)).toEqual(first);
    const other = await adds(s, s.tree, '{ "title": "Smaller" }\n', "paper-002-t3");
    expect(other.tree).not.toBe(first.tree);
    expect(files(s, other.tree)).toEqual(files(s, first.tree));
    const over = await adds(s, first.tree, '{ "title": "Smaller" }\n', "paper-002-t3");
    expect(over.tree).toBe(other.tree);
  });

  it("survives gc and a worktree that is gone", async () => {
    const s = await prepared(undefined, { mode });
    const { tree, ref } = await adds(s, s.tree);
    rmSync(s.place.path, { recursive: true });
    s.git("worktree", "prune");
    s.git("reflog", "expire", "--expire=now", "--all");
    s.git("gc", "--prune=now", "-q");
    expect(s.git("rev-parse", `${ref}^{tree}`)).toBe(tree);
    expect(s.git("show", `${tree}:${path}`)).toBe('{ "title": "Codes" }');
    expect((await s.workspace.prepare(s.place)).tree).toBe(s.tree);
  });

  it("leaves no index behind, also when it cannot be made", async () => {
    const s = await prepared(undefined, { mode });
    await adds(s, s.tree);
    await expect(adds(s, "0123456789012345678901234567890123456789")).rejects.toThrow();
    const left = readdirSync(join(s.root, "runtime"), { recursive: true }).map(String);
    expect(left.filter((name) => /paper-[^/]*index/.test(name))).toEqual([]);
  });

  it("keeps every sign of its text", async () => {
    const s = await prepared(undefined, { mode });
    const text = "Ümläute „quoted“ \u{1F4C4}\r\nno newline at the end";
    const { tree } = await adds(s, s.tree, text);
    expect(await s.workspace.fileAt(s.repo, tree, path)).toBe(text);
  });
});
