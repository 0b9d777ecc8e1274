// Trees made side by side become one, in order, and nothing in the worktree moves.
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createGitWorkspace } from "../../src/adapters/workspace/git.ts";
import type { WorkspacePlace } from "../../src/ports/workspace.ts";
import { type Files, prepared, removeScenes, write } from "./workspace-scene.ts";

afterAll(removeScenes);

type Scene = Awaited<ReturnType<typeof prepared>>;

const lines = (...changed: readonly [number, string][]) =>
  `${Array.from({ length: 12 }, (_, i) => changed.find(([at]) => at === i + 1)?.[1] ?? `line ${i + 1}`).join("\n")}\n`;

/** A bubble beside `b1`, from the same commit, with its work done and pinned. */
async function sibling(
  s: Scene,
  name: string,
  work: Files | ((path: string) => void),
  from = s.place.baseCommit,
) {
  const place: WorkspacePlace = {
    ...s.place,
    bubble: `b1-${name}`,
    branch: `pf/b1-${name}`,
    path: join(s.root, "trees", `b1-${name}`),
    baseCommit: from,
  };
  await s.workspace.prepare(place);
  if (typeof work === "function") work(place.path);
  else write(place.path, work);
  const { commit } = await s.workspace.snapshot(place, "round-001-t1");
  return { name, commit };
}

const merged = (s: Scene, commits: { name: string; commit: string }[], from = s.place.baseCommit) =>
  s.workspace.merge(s.place, { from, commits, pin: "join-7" });

describe.each(["worktree", "clone"] as const)("G8 merging what was made side by side, in a %s", (mode) => {
  it("takes every side in, and touches neither the files nor the index of the bubble", async () => {
    const s = await prepared({ "a.txt": lines(), "b.txt": lines() }, { mode });
    s.edit({ "draft.txt": "not handed over\n", "a.txt": "staged\n" });
    s.agent("add", "a.txt");
    const before = [s.agent("status", "--porcelain"), s.agent("diff", "--cached")];
    const one = await sibling(s, "one", { "a.txt": lines([1, "ONE"]), "one.txt": "1\n" });
    const two = await sibling(s, "two", { "a.txt": lines([12, "TWO"]), "two.txt": "2\n" });
    const three = await sibling(s, "three", { "a.txt": lines([6, "THREE"]) });
    const { tree, commit, ref, conflicts } = await merged(s, [one, two, three]);
    expect(conflicts).toEqual([]);
    expect(ref).toBe("refs/pairflow/b1/join-7");
    expect(s.git("show", `${tree}:a.txt`)).toBe(lines([1, "ONE"], [6, "THREE"], [12, "TWO"]).trim());
    expect(s.git("ls-tree", "--name-only", tree).split("\n")).toEqual([
      "a.txt",
      "b.txt",
      "one.txt",
      "two.txt",
    ]);
    expect([s.agent("status", "--porcelain"), s.agent("diff", "--cached")]).toEqual(before);
    // Pinned on the base in the main repository, also as what the worktree is built from again.
    expect(
      s.git("rev-parse", ref, "refs/pairflow/b1/latest", `${ref}^`, `${ref}^{tree}`).split("\n"),
    ).toEqual([commit, commit, s.place.baseCommit, tree]);
  });

  it("continues after a conflict, marks it in the file under the names of the sides, and lists it", async () => {
    const s = await prepared({ "a.txt": lines(), "b.txt": lines() }, { mode });
    const one = await sibling(s, "one", { "a.txt": lines([3, "ONE"]) });
    const two = await sibling(s, "two", { "a.txt": lines([3, "TWO"]) });
    const three = await sibling(s, "three", { "b.txt": lines([3, "THREE"]) });
    const { tree, conflicts } = await merged(s, [one, two, three]);
    expect(conflicts).toEqual(["a.txt"]);
    expect(s.git("show", `${tree}:a.txt`)).toContain(
      "<<<<<<< pairflow/b1/join-7.so-far\nONE\n=======\nTWO\n>>>>>>> pairflow/b1/join-7.2-two\n",
    );
    expect(s.git("show", `${tree}:b.txt`)).toContain("THREE");
  });

  it("gives the same commit when it is done again, and starts from a round of the bubble itself", async () => {
    const s = await prepared({ "a.txt": lines() }, { mode });
    s.edit({ "a.txt": lines([1, "PARENT"]) });
    const round = await s.workspace.snapshot(s.place, "round-001-t1");
    const one = await sibling(s, "one", { "a.txt": lines([1, "PARENT"], [12, "ONE"]) }, round.commit);
    const two = await sibling(s, "two", { "two.txt": "2\n" }, round.commit);
    const first = await merged(s, [one, two], round.commit);
    const again = await merged(s, [one, two], round.commit);
    expect(again).toEqual(first);
    expect(first.conflicts).toEqual([]);
    expect(s.git("show", `${first.tree}:a.txt`)).toBe(lines([1, "PARENT"], [12, "ONE"]).trim());
    expect(s.git("rev-parse", `${first.commit}^`)).toBe(s.place.baseCommit);
    const { files } = await s.workspace.restore(s.place, first.tree);
    expect(files.sort()).toEqual(["a.txt", "two.txt"]);
    expect(await s.workspace.treeId(s.place)).toBe(first.tree);
  });
});

describe("G8 kinds of changes", () => {
  it("keeps deletions, and asks about a file that one side deleted and another changed", async () => {
    const s = await prepared({ "a.txt": lines(), "b.txt": lines(), "c.txt": "c\n" });
    const gone = await sibling(s, "gone", (path) => {
      rmSync(join(path, "a.txt"));
      rmSync(join(path, "c.txt"));
    });
    const changed = await sibling(s, "changed", { "a.txt": lines([2, "KEPT"]) });
    const { tree, conflicts } = await merged(s, [gone, changed]);
    expect(conflicts).toEqual(["a.txt"]);
    expect(s.git("ls-tree", "--name-only", tree).split("\n")).toEqual(["a.txt", "b.txt"]);
    expect(s.git("show", `${tree}:a.txt`)).toContain("KEPT");
  });

  it("follows a rename with a change that was made under the old name", async () => {
    const s = await prepared({ "old.txt": lines(), "b.txt": "b\n" });
    const moved = await sibling(s, "moved", (path) => {
      writeFileSync(join(path, "new.txt"), lines());
      rmSync(join(path, "old.txt"));
    });
    const changed = await sibling(s, "changed", { "old.txt": lines([5, "FIVE"]) });
    const { tree, conflicts } = await merged(s, [moved, changed]);
    expect(conflicts).toEqual([]);
    expect(s.git("ls-tree", "--name-only", tree).split("\n")).toEqual(["b.txt", "new.txt"]);
    expect(s.git("show", `${tree}:new.txt`)).toContain("FIVE");
  });

  it("lists a binary file that two sides changed and keeps the first side's", async () => {
    const s = await prepared({ "logo.png": "\0base", "b.txt": "b\n" });
    const one = await sibling(s, "one", { "logo.png": "\0first" });
    const two = await sibling(s, "two", { "logo.png": "\0second" });
    const { tree, conflicts } = await merged(s, [one, two]);
    expect(conflicts).toEqual(["logo.png"]);
    expect(s.git("show", `${tree}:logo.png`)).toBe("\0first");
  });

  it("names files with spaces and letters of every language as they are", async () => {
    const s = await prepared({ "größe und maß.txt": "1\n" });
    const one = await sibling(s, "one", { "größe und maß.txt": "2\n" });
    const two = await sibling(s, "two", { "größe und maß.txt": "3\n" });
    expect((await merged(s, [one, two])).conflicts).toEqual(["größe und maß.txt"]);
  });

  it("runs no merge driver that a configuration names", async () => {
    const s = await prepared({ ".gitattributes": "*.txt merge=evil\n", "a.txt": lines() });
    const trace = join(s.root, "trace");
    s.agent("config", "merge.evil.driver", `touch ${trace}; exit 0`);
    const one = await sibling(s, "one", { "a.txt": lines([1, "ONE"]) });
    const two = await sibling(s, "two", { "a.txt": lines([12, "TWO"]) });
    const { tree, conflicts } = await merged(s, [one, two]);
    expect(conflicts).toEqual([]);
    expect(s.git("show", `${tree}:a.txt`)).toBe(lines([1, "ONE"], [12, "TWO"]).trim());
    expect(existsSync(trace)).toBe(false);
  });

  it("is what it started from when there is nothing to merge", async () => {
    const s = await prepared();
    expect(await merged(s, [])).toMatchObject({ tree: s.tree, conflicts: [] });
  });
});

describe("git that cannot merge trees", () => {
  it("is told apart from a failure, with its version", async () => {
    const s = await prepared();
    const one = await sibling(s, "one", { "a.txt": "1\n" });
    const tools = join(s.root, "tools");
    const real = s.gitIn(s.root, "--exec-path");
    write(tools, {
      git: `#!/bin/sh\ncase "$*" in *merge-tree*) echo usage >&2; exit 129;; *" version"*) echo git version 2.30.2;; *) exec ${real}/git "$@";; esac\n`,
    });
    chmodSync(join(tools, "git"), 0o755);
    const old = createGitWorkspace({
      processes: createNodeProcesses(),
      runtimeDir: join(s.root, "runtime"),
      env: { PATH: `${tools}:${process.env.PATH}`, HOME: s.home },
    });
    await expect(
      old.merge(s.place, { from: s.place.baseCommit, commits: [one], pin: "join-7" }),
    ).rejects.toMatchObject({ code: "git.too-old", message: expect.stringContaining("2.30.2") });
  });
});
