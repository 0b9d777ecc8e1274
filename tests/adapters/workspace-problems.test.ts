// States of a worktree in which a handoff may not stand, each with the sentence that the agent reads.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prepared, removeScenes, write } from "./workspace-scene.ts";

afterAll(removeScenes);

type Scene = Awaited<ReturnType<typeof prepared>>;

async function problems(s: Scene): Promise<readonly string[]> {
  return (await s.workspace.snapshot(s.place, "round-1")).problems;
}

/** Two branches that disagree about a.txt; the worktree is on one of them. */
async function conflict(): Promise<Scene> {
  const s = await prepared();
  s.agent("switch", "-q", "-c", "other");
  s.edit({ "a.txt": "theirs\n" });
  s.agent("commit", "-qam", "theirs");
  s.agent("switch", "-q", "pf/b1");
  s.edit({ "a.txt": "ours\n" });
  s.agent("commit", "-qam", "ours");
  return s;
}

describe("a handoff is refused", () => {
  it.each([
    ["merge", "a merge is open; finish it or run: git merge --abort"],
    ["rebase", "a rebase is open; finish it or run: git rebase --abort"],
    ["cherry-pick", "a cherry-pick is open; finish it or run: git cherry-pick --abort"],
  ])("while a %s is open", async (what, sentence) => {
    const s = await conflict();
    expect(() => s.agent(what, "other")).toThrow();
    expect(await problems(s)).toContain(sentence);
    s.agent(what, "--abort");
    expect(await problems(s)).toEqual([]);
  });

  it("while a bisect is open", async () => {
    const s = await prepared();
    s.agent("bisect", "start");
    expect(await problems(s)).toEqual(["a bisect is open; finish it or run: git bisect reset"]);
  });

  it("when HEAD is on another branch or on none", async () => {
    const s = await prepared();
    s.agent("switch", "-q", "-c", "elsewhere");
    expect(await problems(s)).toEqual(["HEAD is on elsewhere instead of pf/b1; run: git switch pf/b1"]);
    s.agent("switch", "-q", "--detach");
    s.agent("commit", "-q", "--allow-empty", "-m", "own");
    expect(await problems(s)).toEqual(["HEAD is on no branch instead of pf/b1; run: git switch pf/b1"]);
    const own = s.agent("rev-parse", "HEAD");
    expect(s.git("rev-parse", `refs/pairflow/b1/agent-${own.slice(0, 12)}`)).toBe(own);
  });

  it("when HEAD left the base commit or names no commit", async () => {
    const s = await prepared();
    s.agent("reset", "-q", "--soft", s.agent("commit-tree", "-m", "root", "HEAD^{tree}"));
    expect(await problems(s)).toEqual([expect.stringContaining("does not contain the base commit")]);
    s.agent("switch", "-q", "--orphan", "nothing");
    expect(await problems(s)).toEqual([expect.stringContaining("HEAD names no commit")]);
  });

  it("for a new repository inside the tree", async () => {
    const s = await prepared();
    s.edit({ "inner/x.txt": "x\n" });
    s.gitIn(join(s.place.path, "inner"), "init", "-q");
    s.gitIn(join(s.place.path, "inner"), "commit", "-q", "--allow-empty", "-m", "own");
    expect(await problems(s)).toEqual([
      "inner is a git repository of its own; its files would not be part of the commit",
    ]);
  });

  it("for a dirty submodule, but not for a clean one", async () => {
    const s = await prepared({ "lib/.keep": "" });
    const library = join(s.root, "library");
    write(library, { "l.txt": "l\n" });
    s.gitIn(library, "init", "-q");
    s.gitIn(library, "add", "-A");
    s.gitIn(library, "commit", "-qm", "l");
    s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");
    s.git("commit", "-qm", "with submodule");
    const place = { ...s.place, bubble: "b2", branch: "pf/b2", path: join(s.root, "trees", "b2") };
    const two = { ...s, place: { ...place, baseCommit: s.git("rev-parse", "HEAD") } };
    await s.workspace.prepare(two.place);
    s.gitIn(place.path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
    expect(await problems(two)).toEqual([]);
    s.gitIn(place.path, "config", "submodule.sub.ignore", "all");
    write(join(place.path, "sub"), { "l.txt": "dirty\n" });
    expect(await problems(two)).toEqual([
      "the submodule sub has uncommitted changes, which no commit here can hold",
    ]);
    await s.workspace.remove(two.place, { dropBranch: true, force: true });
    expect(existsSync(place.path)).toBe(false);
  });

  it("when sparse checkout hides a file", async () => {
    const s = await prepared();
    s.agent("sparse-checkout", "set", "--no-cone", "/a.txt");
    expect(await problems(s)).toEqual([
      "sparse checkout hides files of the tree; run: git sparse-checkout disable",
    ]);
    s.agent("sparse-checkout", "disable");
    expect(await problems(s)).toEqual([]);
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
  });

  it("when the worktree's .git was replaced, while the tree is still read from the real repository", async () => {
    const s = await prepared();
    rmSync(join(s.place.path, ".git"));
    s.agent("init", "-q");
    s.edit({ "a.txt": "work\n" });
    const shot = await s.workspace.snapshot(s.place, "round-1");
    expect(shot.problems).toEqual([expect.stringContaining(".git of the worktree was deleted or replaced")]);
    expect(shot.files).toMatchObject([{ path: "a.txt" }]);
    expect(s.git("rev-parse", shot.ref)).toBe(shot.commit);
  });
});

describe("what an agent puts into git's configuration", () => {
  it("starts no program and hides no file", async () => {
    const s = await prepared();
    const proof = join(s.root, "proof");
    const program = `touch ${proof}; true`;
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.editor", "diff.x.textconv"]) {
      s.agent("config", key, program);
    }
    s.agent("config", "core.ignoreStat", "true");
    s.agent("config", "core.checkStat", "minimal");
    rmSync(proof, { force: true });
    s.edit({ ".gitattributes": "*.txt diff=x\n", "a.txt": "work\n" });
    const shot = await s.workspace.snapshot(s.place, "round-1");
    expect(shot.files.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
    await s.workspace.commit(s.place, { tree: shot.tree, message: "done", at: "2026-01-02T03:04:05Z" });
    expect(existsSync(proof)).toBe(false);
  });

  it("does not show one commit and mean another", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "bad\n" });
    s.agent("commit", "-qam", "bad");
    s.agent("replace", s.place.baseCommit, s.agent("commit-tree", "-m", "fake", "HEAD^{tree}"));
    const { files } = await s.workspace.snapshot(s.place, "round-1");
    expect(files).toMatchObject([{ path: "a.txt" }]);
    expect(readFileSync(join(s.repo, "a.txt"), "utf8")).toBe("one\n");
  });
});
