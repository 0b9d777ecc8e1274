// The promises of the workspace port, on real repositories.
import { existsSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prepared, removeScenes, scene, write, writeHook } from "./workspace-scene.ts";

afterAll(removeScenes);

const at = "2026-01-02T03:04:05.678Z";

describe("G1 the tree is all tracked and unignored files, through a private index; the agent's index and stash are never touched", () => {
  it("holds new, changed, renamed, deleted and executable files, and none that are ignored", async () => {
    const s = await prepared({
      ".gitignore": "*.log\n",
      "a.txt": "one\n",
      "old.txt": "same\n".repeat(20),
      "gone.txt": "x\n",
      "bin.dat": "\0\u0001",
    });
    s.edit({ "a.txt": "one\ntwo\n", "new file.txt": "n\n", "noise.log": "no\n", "bin.dat": "\0\u0002" });
    rmSync(join(s.place.path, "gone.txt"));
    s.agent("mv", "old.txt", "moved.txt");
    const shot = await s.workspace.snapshot(s.place, "round-1");
    expect(shot.problems).toEqual([]);
    expect(shot.files).toEqual([
      { path: "a.txt", status: "modified", added: 1, removed: 0 },
      { path: "bin.dat", status: "modified", added: null, removed: null },
      { path: "gone.txt", status: "deleted", added: 0, removed: 1 },
      { path: "moved.txt", from: "old.txt", status: "renamed", added: 0, removed: 0 },
      { path: "new file.txt", status: "added", added: 1, removed: 0 },
    ]);
    expect(shot.diff).toContain("+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+two\n");
    expect(shot.diff).not.toContain("noise.log");
    expect(await s.workspace.treeId(s.place)).toBe(shot.tree);
    expect(await s.workspace.changedBetween(s.place, s.tree, shot.tree)).toEqual(shot.files);
    expect(await s.workspace.diff(s.place, s.tree, shot.tree)).toBe(shot.diff);
  });

  it("leaves the agent's index and stash as they were", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "stashed\n" });
    s.agent("stash");
    s.edit({ "a.txt": "staged\n" });
    s.agent("add", "a.txt");
    s.edit({ "a.txt": "not staged\n", "new.txt": "n\n" });
    const before = [s.agent("status", "--porcelain"), s.agent("stash", "list"), s.agent("diff", "--cached")];
    await s.workspace.snapshot(s.place, "round-1");
    const after = [s.agent("status", "--porcelain"), s.agent("stash", "list"), s.agent("diff", "--cached")];
    expect(after).toEqual(before);
  });

  it("sees a change that assume-unchanged and skip-worktree hide", async () => {
    const s = await prepared();
    s.agent("update-index", "--assume-unchanged", "a.txt");
    s.agent("update-index", "--skip-worktree", "src/b.txt");
    s.edit({ "a.txt": "hidden\n", "src/b.txt": "hidden\n" });
    expect(s.agent("status", "--porcelain")).toBe("");
    const { files } = await s.workspace.snapshot(s.place, "round-1");
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "src/b.txt"]);
  });

  it("sees a change of the same size at the same time stamp", async () => {
    const s = await prepared();
    const time = new Date("2026-01-01T00:00:00Z");
    s.edit({ "a.txt": "111\n" });
    utimesSync(join(s.place.path, "a.txt"), time, time);
    s.agent("config", "core.trustctime", "false");
    const one = await s.workspace.treeId(s.place);
    s.edit({ "a.txt": "222\n" });
    utimesSync(join(s.place.path, "a.txt"), time, time);
    expect(await s.workspace.treeId(s.place)).not.toBe(one);
  });

  it("is read by many at once without a lock to wait for", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "now\n" });
    const ids = await Promise.all(Array.from({ length: 6 }, () => s.workspace.treeId(s.place)));
    expect(new Set(ids).size).toBe(1);
  });

  it("shows a text that the author declared binary", async () => {
    const s = await prepared();
    s.edit({ ".gitattributes": "* -diff\n", "a.txt": "sneaky\n" });
    const { diff, files } = await s.workspace.snapshot(s.place, "round-1");
    expect(diff).toContain("+sneaky");
    expect(files.find(({ path }) => path === "a.txt")).toMatchObject({ added: 1, removed: 1 });
  });

  it("says so instead of printing a difference of more than 20 MB", async () => {
    const s = await prepared();
    s.edit({ "big.txt": "0123456789abcdef\n".repeat(1_300_000) });
    const { diff, files } = await s.workspace.snapshot(s.place, "round-1");
    expect(diff).toContain("larger than 20 MB");
    expect(files).toMatchObject([{ path: "big.txt", added: 1_300_000 }]);
  });
});

describe("G2 a failing `git add` is a failure, never a tree", () => {
  it("when an agent left an empty repository inside", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "changed\n", "inner/x.txt": "x\n" });
    s.gitIn(join(s.place.path, "inner"), "init", "-q");
    const hint = "rm -rf inner/.git";
    await expect(s.workspace.treeId(s.place)).rejects.toMatchObject({ code: "git.add-failed", hint });
    await expect(s.workspace.snapshot(s.place, "r1")).rejects.toMatchObject({ code: "git.add-failed" });
    expect(s.git("for-each-ref", "refs/pairflow/b1/r1")).toBe("");
    rmSync(join(s.place.path, "inner", ".git"), { recursive: true });
    const { files } = await s.workspace.snapshot(s.place, "r1");
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "inner/x.txt"]);
  });
});

describe("G3 every snapshot is pinned under refs/pairflow/<bubble>/ and survives gc and a deleted worktree", () => {
  it("by a commit on the base that is the same each time", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "kept\n" });
    const shot = await s.workspace.snapshot(s.place, "round-1");
    expect(await s.workspace.snapshot(s.place, "round-1")).toEqual(shot);
    expect(shot.ref).toBe("refs/pairflow/b1/round-1");
    rmSync(s.place.path, { recursive: true });
    s.git("worktree", "prune");
    s.git("gc", "-q", "--prune=now");
    expect(s.git("rev-parse", shot.ref, `${shot.ref}^`)).toBe(`${shot.commit}\n${s.place.baseCommit}`);
    expect(s.git("show", `${shot.tree}:a.txt`)).toBe("kept");
  });

  it("with the agent's own commits, which are no problem", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "mine\n" });
    s.agent("commit", "-qam", "agent's own");
    const own = s.agent("rev-parse", "HEAD");
    s.edit({ "a.txt": "more\n" });
    expect(await s.workspace.snapshot(s.place, "round-1")).toMatchObject({
      problems: [],
      files: [{ path: "a.txt" }],
    });
    expect(s.git("rev-parse", `refs/pairflow/b1/agent-${own.slice(0, 12)}`)).toBe(own);
  });

  it("also when a gc has taken objects that only the private index knew", async () => {
    const s = await prepared();
    s.edit({ "new.txt": "n\n" });
    const tree = await s.workspace.treeId(s.place);
    s.git("gc", "-q", "--prune=now");
    s.edit({ "other.txt": "o\n" });
    await s.workspace.treeId(s.place);
    rmSync(join(s.place.path, "other.txt"));
    expect(await s.workspace.treeId(s.place)).toBe(tree);
  });
});

describe("G4 commit writes the approved tree by plumbing with the approval's dates; done twice it is one commit", () => {
  it("once, on the base, by the user, whatever stands in the worktree by then", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "approved\n" });
    s.agent("commit", "-qam", "agent's own");
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    const own = s.agent("rev-parse", "HEAD");
    s.edit({ "a.txt": "changed after the approval\n" });
    const id = await s.workspace.commit(s.place, { tree, message: "Add it\n\nWhy: because", at });
    expect(await s.workspace.commit(s.place, { tree, message: "Add it\n\nWhy: because", at })).toBe(id);
    const format = "--format=%H|%T|%P|%an <%ae>|%cn <%ce>|%aI|%cI|%B";
    const date = "2026-01-02T03:04:05+00:00";
    const ada = "Ada <ada@example.org>";
    expect(s.git("log", format, "main..pf/b1")).toBe(
      `${id}|${tree}|${s.place.baseCommit}|${ada}|${ada}|${date}|${date}|Add it\n\nWhy: because`,
    );
    expect(s.git("rev-parse", `refs/pairflow/b1/agent-${own.slice(0, 12)}`)).toBe(own);
    expect(s.agent("status", "--porcelain")).toBe("M a.txt");
  });

  it("leaves the worktree clean and the main checkout untouched", async () => {
    const s = await prepared();
    write(s.repo, { "a.txt": "the user's own edit\n", "untracked.txt": "u\n" });
    const before = [
      s.git("status", "--porcelain"),
      s.git("rev-parse", "HEAD"),
      s.git("branch", "--show-current"),
    ];
    s.edit({ "a.txt": "approved\n", "new.txt": "n\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(s.agent("status", "--porcelain")).toBe("");
    expect([
      s.git("status", "--porcelain"),
      s.git("rev-parse", "HEAD"),
      s.git("branch", "--show-current"),
    ]).toEqual(before);
    expect(readFileSync(join(s.repo, "a.txt"), "utf8")).toBe("the user's own edit\n");
  });

  it("needs no configured name, and none that changes makes a second commit", async () => {
    const s = await prepared();
    rmSync(join(s.home, ".gitconfig"));
    s.edit({ "a.txt": "approved\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    const id = await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(s.git("log", "-1", "--format=%an <%ae>", id)).toBe("Pairflow <pairflow@localhost>");
    write(s.home, { ".gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.org\n" });
    expect(await s.workspace.commit(s.place, { tree, message: "done", at })).toBe(id);
  });

  it("runs no hook and works after the worktree is gone", async () => {
    const s = await prepared();
    for (const name of ["pre-commit", "commit-msg", "post-checkout", "reference-transaction"]) {
      writeHook(join(s.repo, ".git", "hooks", name));
    }
    s.edit({ "a.txt": "approved\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    rmSync(s.place.path, { recursive: true });
    const id = await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(s.git("rev-parse", "pf/b1")).toBe(id);
  });
});

describe("G5 restore brings the worktree back to a tree and returns what it undid as a patch", () => {
  it("undoes new, changed and deleted files and leaves ignored ones", async () => {
    const s = await prepared({ ".gitignore": "*.log\n", "a.txt": "one\n", "src/b.txt": "two\n" });
    const tree = await s.workspace.treeId(s.place);
    s.edit({
      "a.txt": "x\n",
      "deep/er/new.txt": "n\n",
      "keep.log": "k\n",
      "latin.txt": "",
      "raw.bin": "\0\u0001",
    });
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    write(s.place.path, { "latin.txt": latin as unknown as string });
    rmSync(join(s.place.path, "src"), { recursive: true });
    const undone = await s.workspace.restore(s.place, tree);
    expect(undone.files).toEqual(["a.txt", "deep/er/new.txt", "latin.txt", "raw.bin", "src/b.txt"]);
    expect(await s.workspace.treeId(s.place)).toBe(tree);
    expect(s.read("keep.log")).toBe("k\n");
    expect(existsSync(join(s.place.path, "deep"))).toBe(false);
    write(s.root, { "undone.patch": undone.patch });
    s.agent("apply", join(s.root, "undone.patch"));
    expect(readFileSync(join(s.place.path, "latin.txt"))).toEqual(latin);
    expect(s.read("raw.bin")).toBe("\0\u0001");
    expect(existsSync(join(s.place.path, "src/b.txt"))).toBe(false);
  });

  it("does nothing when nothing changed", async () => {
    const s = await prepared();
    expect(await s.workspace.restore(s.place, s.tree)).toEqual({ patch: "", files: [] });
  });

  it("fails when the tree cannot be brought back", async () => {
    const s = await prepared();
    const inner = join(s.place.path, "inner");
    s.edit({ "inner/x.txt": "x\n" });
    s.gitIn(inner, "init", "-q");
    s.gitIn(inner, "commit", "-q", "--allow-empty", "-m", "own");
    await expect(s.workspace.restore(s.place, s.tree)).rejects.toMatchObject({
      code: "workspace.not-restored",
    });
    expect(existsSync(join(inner, "x.txt"))).toBe(true);
  });
});

describe("G6 remove refuses while work exists that no other ref reaches", () => {
  const stay = { dropBranch: false };
  const drop = { dropBranch: true };

  it("names uncommitted files, the last handoff and commits only on the branch", async () => {
    const s = await prepared();
    expect(await s.workspace.unreachable(s.place, drop)).toEqual([]);
    s.edit({ "a.txt": "work\n" });
    expect(await s.workspace.unreachable(s.place, stay)).toEqual([expect.stringContaining("1 file in ")]);
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    expect(await s.workspace.unreachable(s.place, stay)).toEqual([
      expect.stringContaining("git branch keep-b1 "),
    ]);
    await expect(s.workspace.remove(s.place, stay)).rejects.toMatchObject({ code: "workspace.unsaved-work" });
    expect(await s.workspace.present(s.place)).toBe(true);
    await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(await s.workspace.unreachable(s.place, stay)).toEqual([]);
    expect(await s.workspace.unreachable(s.place, drop)).toEqual([
      expect.stringContaining("pf/b1 has 1 commit "),
    ]);
    s.edit({ "a.txt": "later work\n" });
    expect(await s.workspace.unreachable(s.place, stay)).toHaveLength(1);
  });

  it.each(["merge", "cherry-pick"])("is content after a %s", async (how) => {
    const s = await prepared();
    write(s.repo, { "c.txt": "meanwhile\n" });
    s.git("add", "-A");
    s.git("commit", "-qm", "meanwhile");
    s.edit({ "a.txt": "work\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    await s.workspace.commit(s.place, { tree, message: "done", at });
    s.git(how, "pf/b1");
    expect(await s.workspace.unreachable(s.place, drop)).toEqual([]);
  });

  it("names commits on a HEAD that left the branch, and a repository inside", async () => {
    const s = await prepared();
    s.agent("switch", "-q", "--detach");
    s.agent("commit", "-q", "--allow-empty", "-m", "lost");
    expect(await s.workspace.unreachable(s.place, stay)).toEqual([expect.stringContaining("HEAD in ")]);
    s.edit({ "inner/x.txt": "x\n" });
    s.gitIn(join(s.place.path, "inner"), "init", "-q");
    expect(await s.workspace.unreachable(s.place, stay)).toContainEqual(
      expect.stringContaining("cannot be read"),
    );
    s.gitIn(join(s.place.path, "inner"), "commit", "-q", "--allow-empty", "-m", "own");
    expect(await s.workspace.unreachable(s.place, stay)).toContainEqual(expect.stringContaining("inner in "));
  });

  it("removes tree, pins and branch and nothing else, and is harmless when repeated", async () => {
    const s = await prepared();
    const other = { ...s.place, bubble: "b2", branch: "pf/b2", path: join(s.root, "trees", "b2") };
    await s.workspace.prepare(other);
    s.edit({ "a.txt": "work\n" });
    await s.workspace.snapshot(s.place, "round-1");
    await s.workspace.remove(s.place, { dropBranch: true, force: true });
    await s.workspace.remove(s.place, { dropBranch: true });
    expect(existsSync(s.place.path)).toBe(false);
    expect(await s.workspace.present(s.place)).toBe(false);
    expect(s.git("for-each-ref", "--format=%(refname)")).toBe(
      "refs/heads/main\nrefs/heads/pf/b2\nrefs/pairflow/b2/base",
    );
    expect(await s.workspace.present(other)).toBe(true);
  });

  it("leaves a folder alone that is not the bubble's", async () => {
    const s = scene();
    write(s.place.path, { "mine.txt": "m\n" });
    await expect(s.workspace.remove(s.place, drop)).rejects.toMatchObject({ code: "workspace.not-ours" });
    expect(existsSync(join(s.place.path, "mine.txt"))).toBe(true);
  });
});

describe("G7 nothing is ever pushed", () => {
  it("to a remote that would take it", async () => {
    const s = scene();
    const remote = join(s.root, "remote.git");
    s.git("init", "-q", "--bare", remote);
    s.git("remote", "add", "origin", remote);
    s.git("config", "push.default", "current");
    await s.workspace.prepare(s.place);
    s.edit({ "a.txt": "work\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    await s.workspace.commit(s.place, { tree, message: "done", at });
    await s.workspace.remove(s.place, { dropBranch: false });
    expect(s.gitIn(remote, "for-each-ref")).toBe("");
  });
});
