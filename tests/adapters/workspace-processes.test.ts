// How many programs the workspace starts: every one costs milliseconds between two turns, and nothing else shows when
// one more was added.
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { readBranches } from "../../src/adapters/workspace/branches.ts";
import { createGitWorkspace } from "../../src/adapters/workspace/git.ts";
import { prepared, removeScenes, scene } from "./workspace-scene.ts";

afterAll(removeScenes);

/** A prepared bubble whose workspace tells which git commands it started. */
async function counted() {
  const s = await prepared();
  const started: string[] = [];
  const real = createNodeProcesses();
  const processes: typeof real = {
    ...real,
    exec: (argv, options) => {
      started.push(argv.find((word, i) => i > 0 && !/^-|=/.test(word)) ?? "");
      return real.exec(argv, options);
    },
  };
  const env = { PATH: process.env.PATH ?? "", HOME: s.home };
  const workspace = createGitWorkspace({ processes, runtimeDir: join(s.root, "runtime"), env });
  const during = async (work: () => Promise<unknown>) => {
    started.length = 0;
    await work();
    return [...started].sort();
  };
  return { ...s, workspace, during };
}

describe("git is started", () => {
  it("seven times for a handoff", async () => {
    const s = await counted();
    s.edit({ "a.txt": "changed\n" });
    const handoff = await s.during(() => s.workspace.snapshot(s.place, "round-001-t1"));
    const once = ["add", "commit-tree", "diff-tree", "diff-tree", "rev-list", "update-ref", "write-tree"];
    expect(handoff).toEqual(once);
  });

  it("once to see that a tree is unchanged, and never to look at branches or settings", async () => {
    const s = await counted();
    s.edit({ "a.txt": "changed\n" });
    await s.workspace.snapshot(s.place, "round-001-t1");
    await s.workspace.gitSettings(s.place);
    expect(await s.during(() => s.workspace.treeId(s.place))).toEqual(["ls-files"]);
    expect(await s.during(() => s.workspace.branches(s.place))).toEqual([]);
    expect(await s.during(() => s.workspace.gitSettings(s.place))).toEqual([]);
  });
});

describe("branches read from git's files", () => {
  const asGit = (s: ReturnType<typeof scene>) =>
    s.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads").split("\n");
  const onDisk = (s: ReturnType<typeof scene>) => {
    const found = readBranches(join(s.repo, ".git"));
    return found && [...found].map(([name, commit]) => `${name} ${commit}`);
  };

  it("are those that git names: loose, packed, below others, and moved after packing", () => {
    const s = scene();
    for (const name of ["feature/one", "feature/two", "old"]) s.git("branch", name);
    s.git("tag", "-a", "-m", "a tag has a line of its own among the packed", "v1");
    s.git("pack-refs", "--all");
    s.git("branch", "feature/three");
    s.git("commit", "-q", "--allow-empty", "-m", "second");
    s.git("branch", "-f", "old", "HEAD");
    expect(onDisk(s)).toHaveLength(5);
    expect(onDisk(s)).toEqual(asGit(s));
  });

  it("are left to git where one of them is symbolic", async () => {
    const s = await prepared();
    s.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    expect(onDisk(s)).toBeUndefined();
    const main = s.place.baseCommit;
    expect(await s.workspace.branches(s.place)).toEqual({
      "refs/heads/alias": main,
      "refs/heads/main": main,
    });
  });
});
