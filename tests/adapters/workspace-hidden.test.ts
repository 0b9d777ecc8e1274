// Files that stand in every tree and not on disk: the one who works there does not come across them, and nobody who
// compares, restores or commits misses them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import { prepared, removeScenes, scene, write } from "./workspace-scene.ts";

afterAll(removeScenes);

const at = "2026-01-02T03:04:05.678Z";
const hidden = [".pairflow/sops/", ".pairflow/conventions.ndjson", "**/constitution.md"];
const one = ".pairflow/sops/one.md";
const two = ".pairflow/sops/deep/two.md";
const files = {
  "a.txt": "one\n",
  "src/b.txt": "two\n",
  "src/constitution.md": "rules\n",
  "constitution.md": "root rules\n",
  ".pairflow/config.yaml": "gates: {}\n",
  ".pairflow/conventions.ndjson": "{}\n",
  [one]: "first\n",
  [two]: "second\n",
};
const secrets = [one, two, ".pairflow/conventions.ndjson", "constitution.md", "src/constitution.md"];
const visible = [".git", ".pairflow", ".pairflow/config.yaml", "a.txt", "src", "src/b.txt"];

type Scene = Awaited<ReturnType<typeof prepared>>;
const blind = (mode: "worktree" | "clone" = "worktree") => prepared(files, { hidden, mode });
const onDisk = ({ place }: Pick<Scene, "place">) =>
  (readdirSync(place.path, { recursive: true }) as string[]).filter((name) => !/^\.git\//.test(name)).sort();
const changed = async (s: Scene) => {
  const { files } = await s.workspace.snapshot(s.place, "now");
  return files.map(({ path, status }) => `${status} ${path}`);
};

describe.each(["worktree", "clone"] as const)("a %s with hidden files", (mode) => {
  it("has none of them on disk, all of them in its tree, and a clean status", async () => {
    const s = await blind(mode);
    expect(onDisk(s)).toEqual(visible);
    expect(s.tree).toBe(s.git("rev-parse", "main^{tree}"));
    expect(s.agent("status", "-sb", "--porcelain", "--untracked-files=all")).toBe("## pf/b1");
    const shot = await s.workspace.snapshot(s.place, "round-1");
    expect(shot).toMatchObject({ tree: s.tree, files: [], diff: "", problems: [] });
    expect(await s.workspace.unreachable(s.place, { dropBranch: true })).toEqual([]);
    expect(await s.workspace.prepare(s.place)).toEqual({ tree: s.tree, base: s.tree, notes: [] });
  });

  it("is committed with them, and its status is clean afterwards", async () => {
    const s = await blind(mode);
    s.edit({ "a.txt": "work\n", "new.txt": "n\n" });
    expect(await changed(s)).toEqual(["modified a.txt", "added new.txt"]);
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    const id = await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(s.git("diff", "--name-only", "main", id)).toBe("a.txt\nnew.txt");
    expect(s.agent("status", "--porcelain")).toBe("");
    expect(onDisk(s)).toEqual([...visible, "new.txt"].sort());
    await s.workspace.remove(s.place, { dropBranch: false });
    expect(existsSync(s.place.path)).toBe(false);
  });

  it("is rebuilt without them after it was deleted by hand, with the work and with what was put in their places", async () => {
    const s = await blind(mode);
    s.edit({ "a.txt": "work\n", [one]: "my own\n", ".pairflow/sops/three.md": "new\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    rmSync(s.place.path, { recursive: true });
    expect((await s.workspace.prepare(s.place)).tree).toBe(tree);
    expect(s.read(one)).toBe("my own\n");
    expect(s.read(".pairflow/sops/three.md")).toBe("new\n");
    const still = secrets.filter((path) => path !== one);
    expect(still.filter((path) => existsSync(join(s.place.path, path)))).toEqual([]);
    rmSync(join(s.place.path, one));
    expect(await changed(s)).toEqual(["added .pairflow/sops/three.md", "modified a.txt"]);
    s.edit({ "a.txt": "one\n" });
    rmSync(join(s.place.path, ".pairflow"), { recursive: true });
    s.edit({ ".pairflow/config.yaml": "gates: {}\n" });
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
  });
});

describe("an agent that works beside hidden files", () => {
  it("finds them away and its status clean after stash, reset, checkout, switch and a commit of its own", async () => {
    const s = await blind();
    s.edit({ "a.txt": "work\n" });
    for (const step of [
      ["stash"],
      ["stash", "pop"],
      ["add", "-A"],
      ["reset", "-q"],
      ["commit", "-qam", "own"],
      ["checkout", "-q", "--detach", "HEAD~1"],
      ["switch", "-q", "pf/b1"],
      ["checkout", "--", "."],
      ["reset", "-q", "--hard"],
      ["clean", "-qfdx"],
    ]) {
      s.agent(...step);
      expect([step, onDisk(s)]).toEqual([step, visible]);
    }
    expect(s.agent("status", "--porcelain")).toBe("");
    expect(s.agent("diff", "--name-only", "main")).toBe("a.txt");
    expect(await changed(s)).toEqual(["modified a.txt"]);
  });

  it("may bring them back, and the tree is the same with and without them", async () => {
    const s = await blind();
    s.agent("update-index", "--no-skip-worktree", ...secrets);
    s.agent("checkout", "--", ".");
    expect(s.read(one)).toBe("first\n");
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    rmSync(join(s.place.path, one));
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    rmSync(join(s.place.path, ".git"), { force: true });
    await s.workspace.prepare(s.place);
    s.agent("read-tree", "--empty");
    s.agent("reset", "-q", "--hard");
    expect(s.read(one)).toBe("first\n");
    expect(await changed(s)).toEqual([]);
  });

  it("makes a change like any other with a file in their place, and none when it takes it away again", async () => {
    const s = await blind();
    const index = readFileSync(join(s.repo, ".git/worktrees/b1/index"));
    s.edit({ [one]: "mine\n" });
    const tree = await s.workspace.treeId(s.place);
    expect(await s.workspace.treeId(s.place)).toBe(tree);
    expect(await changed(s)).toEqual([`modified ${one}`]);
    s.edit({ [one]: "mine\nmore\n" });
    expect(await s.workspace.treeId(s.place)).not.toBe(tree);
    s.edit({ [one]: "first\n" });
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    s.edit({ [one]: "mine\n" });
    expect(await s.workspace.treeId(s.place)).toBe(tree);
    rmSync(join(s.place.path, ".pairflow", "sops"), { recursive: true });
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    expect(readFileSync(join(s.repo, ".git/worktrees/b1/index"))).toEqual(index);
  });

  it("makes a change with a link, a file for a folder and a folder for a file", async () => {
    const s = await blind();
    const sops = join(s.place.path, ".pairflow", "sops");
    const deleted = [`deleted ${two}`, `deleted ${one}`];
    mkdirSync(sops);
    symlinkSync("../config.yaml", join(sops, "one.md"));
    expect(await changed(s)).toEqual([`type-changed ${one}`]);
    rmSync(sops, { recursive: true });
    write(s.place.path, { ".pairflow/sops": "flat\n" });
    expect(await changed(s)).toEqual(["added .pairflow/sops", ...deleted]);
    rmSync(sops);
    symlinkSync("..", sops);
    expect(await changed(s)).toEqual(["added .pairflow/sops", ...deleted]);
    rmSync(sops);
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    mkdirSync(join(s.place.path, "constitution.md"));
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    s.edit({ "constitution.md/x": "x\n" });
    expect(await changed(s)).toEqual(["deleted constitution.md", "added constitution.md/x"]);
    expect(await changed(s)).toEqual(["deleted constitution.md", "added constitution.md/x"]);
    rmSync(join(s.place.path, "constitution.md"), { recursive: true });
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
  });

  it("makes a change also where the place is ignored", async () => {
    const s = scene(files, { hidden });
    write(s.repo, { ".gitignore": ".pairflow/\n" });
    s.git("add", "-A");
    s.git("commit", "-qm", "ignored but tracked");
    const place = { ...s.place, baseCommit: s.git("rev-parse", "main") };
    const { tree } = await s.workspace.prepare(place);
    write(place.path, { ".pairflow/sops": "in place of the folder\n" });
    expect((await s.workspace.snapshot(place, "r1")).files).toMatchObject([{ path: two }, { path: one }]);
    rmSync(join(place.path, ".pairflow", "sops"));
    s.edit({ [one]: "mine\n" });
    expect((await s.workspace.snapshot(place, "r2")).files).toMatchObject([{ path: one }]);
    rmSync(join(place.path, ".pairflow", "sops"), { recursive: true });
    expect(await s.workspace.treeId(place)).toBe(tree);
  });

  it("does not lose a commit of its own on one of them when the worktree is deleted", async () => {
    const s = await blind();
    s.edit({ [one]: "mine\n" });
    s.agent("update-index", "--no-skip-worktree", one);
    s.agent("commit", "-qam", "own");
    const tree = s.agent("rev-parse", "HEAD^{tree}");
    expect(await s.workspace.treeId(s.place)).toBe(tree);
    rmSync(s.place.path, { recursive: true });
    expect((await s.workspace.prepare(s.place)).tree).toBe(tree);
    expect(s.agent("status", "--porcelain")).toBe("");
    expect(onDisk(s)).toEqual([...visible, ".pairflow/sops", one].sort());
  });
});

describe("restore beside hidden files", () => {
  it("leaves them hidden, takes away what was put in their places, and returns it as a patch", async () => {
    const s = await blind();
    s.edit({ "a.txt": "stray\n", [one]: "mine\n", ".pairflow/sops/three.md": "new\n" });
    const undone = await s.workspace.restore(s.place, s.tree);
    expect(undone.files).toEqual([one, ".pairflow/sops/three.md", "a.txt"]);
    expect(onDisk(s)).toEqual(visible);
    expect(s.agent("status", "--porcelain")).toBe("");
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    write(s.root, { "undone.patch": undone.patch });
    s.git("apply", "--check", join(s.root, "undone.patch"));
  });

  it("brings back what the tree has in their places, and leaves those alone that the agent brought back", async () => {
    const s = await blind();
    s.edit({ [one]: "mine\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    s.agent("update-index", "--no-skip-worktree", "constitution.md");
    s.agent("checkout", "--", "constitution.md");
    rmSync(join(s.place.path, one));
    s.edit({ "a.txt": "stray\n" });
    expect((await s.workspace.restore(s.place, tree)).files).toEqual([one, "a.txt"]);
    expect(s.read(one)).toBe("mine\n");
    expect(s.read("constitution.md")).toBe("root rules\n");
    expect(s.agent("status", "--porcelain")).toBe("");
    expect(await s.workspace.treeId(s.place)).toBe(tree);
  });
});

describe("set-up beside hidden files", () => {
  it("changes neither the main checkout nor any configuration", async () => {
    const s = scene(files, { hidden });
    const before = [
      s.git("config", "--list", "--local"),
      s.git("status", "--porcelain"),
      s.git("ls-files", "-t"),
    ];
    await s.workspace.prepare(s.place);
    expect([
      s.git("config", "--list", "--local"),
      s.git("status", "--porcelain"),
      s.git("ls-files", "-t"),
    ]).toEqual(before);
    expect(existsSync(join(s.repo, one))).toBe(true);
    expect(readdirSync(join(s.repo, ".git"))).not.toContain("config.worktree");
  });

  it("works when the main checkout is sparse", async () => {
    const s = scene(files, { hidden });
    s.git("sparse-checkout", "set", "--no-cone", "/src/");
    const { tree, notes } = await s.workspace.prepare(s.place);
    expect([tree, notes]).toEqual([
      s.git("rev-parse", "main^{tree}"),
      ["sparse checkout is off in this tree"],
    ]);
    expect(onDisk(s)).toEqual(visible);
    expect(s.agent("status", "--porcelain")).toBe("");
    expect((await s.workspace.snapshot(s.place, "r1")).problems).toEqual([]);
    expect(existsSync(join(s.repo, "a.txt"))).toBe(false);
  });

  it("takes odd names, links and patterns that match nothing, and leaves submodules to git", async () => {
    const s = scene(
      { ...files, '.pairflow/sops/a b\n\t"c"ő.md': "odd\n" },
      { hidden: [...hidden, "nothing/"] },
    );
    symlinkSync("one.md", join(s.repo, ".pairflow/sops/link.md"));
    s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", s.repo, ".pairflow/sops/sub");
    s.git("add", "-A");
    s.git("commit", "-qm", "odd");
    const place = { ...s.place, baseCommit: s.git("rev-parse", "main") };
    const { tree } = await s.workspace.prepare(place);
    expect(tree).toBe(s.git("rev-parse", "main^{tree}"));
    expect(onDisk(s)).toEqual([...visible, ".gitmodules", ".pairflow/sops", ".pairflow/sops/sub"].sort());
    expect(s.agent("status", "--porcelain")).toBe("");
    expect((await s.workspace.snapshot(place, "r1")).problems).toEqual([]);
  });

  it("changes nothing for a bubble whose patterns match no file", async () => {
    const s = await prepared(undefined, { hidden });
    s.edit({ "a.txt": "work\n" });
    rmSync(join(s.place.path, "src"), { recursive: true });
    expect(await changed(s)).toEqual(["modified a.txt", "deleted src/b.txt"]);
    await s.workspace.restore(s.place, s.tree);
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
  });

  it("sees a deleted file again when nothing is hidden any more", async () => {
    const s = await blind();
    const { hidden: _, ...open } = s.place;
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    expect((await s.workspace.snapshot(open, "open")).files).toHaveLength(secrets.length);
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
  });

  it("does not copy a hidden file that .worktreeinclude names", async () => {
    const s = scene(
      { ".gitignore": ".env\nlocal/\n", ".worktreeinclude": ".env\nlocal/\n", "a.txt": "one\n" },
      { hidden },
    );
    write(s.repo, { ".env": "SECRET=1\n", "local/constitution.md": "rules\n" });
    expect((await s.workspace.prepare(s.place)).notes).toEqual([
      "copied, as .worktreeinclude says: .env",
      "not copied, since it is hidden from who works here: local/constitution.md",
    ]);
    expect(existsSync(join(s.place.path, "local"))).toBe(false);
  });

  it("shows a commit hook no deleted files", async () => {
    const s = await blind();
    s.edit({ "a.txt": "work\n" });
    const { tree } = await s.workspace.snapshot(s.place, "r1");
    const index = await s.workspace.stagedIndex(s.place, tree);
    const env = { PATH: process.env.PATH ?? "", HOME: s.home, GIT_INDEX_FILE: index };
    const git = async (...args: string[]) =>
      (await createNodeProcesses().exec(["git", ...args], { cwd: s.place.path, env })).stdout.trim();
    expect(await git("write-tree")).toBe(tree);
    expect(await git("diff-files", "--name-only")).toBe("");
    expect(await git("diff", "--cached", "--name-only")).toBe("a.txt");
  });
});

/** A bubble's life with every call that touches its files; each call is repeated until it succeeds. */
async function live(
  s: ReturnType<typeof scene>,
  call: <T>(work: (w: Workspace) => Promise<T>) => Promise<T>,
) {
  const { place } = s;
  const { tree: base } = await call((w) => w.prepare(place));
  expect(onDisk(s)).toEqual(visible);
  s.edit({ "a.txt": "stray\n", [one]: "stray\n" });
  await call((w) => w.restore(place, base));
  expect(onDisk(s)).toEqual(visible);
  s.edit({ "a.txt": "approved\n", [two]: "approved\n" });
  const { tree } = await call((w) => w.snapshot(place, "round-1"));
  rmSync(place.path, { recursive: true });
  const rebuilt = await call((w) => w.prepare(place));
  const left = onDisk(s);
  const id = await call((w) => w.commit(place, { tree, message: "done", at }));
  const status = s.agent("status", "--porcelain");
  await call((w) => w.remove(place, { dropBranch: false }));
  return { base, tree, rebuilt: rebuilt.tree, left, id, status };
}

describe.each(["worktree", "clone"] as const)(
  "a crash between any two git calls of a %s with hidden files",
  (mode) => {
    it("changes nothing about the outcome", async () => {
      const calm = scene(files, { hidden, mode });
      const outcome = await live(calm, (work) => work(calm.workspace));
      expect(outcome).toMatchObject({ rebuilt: outcome.tree, status: "" });
      const s = scene(files, { hidden, mode, baseCommit: calm.place.baseCommit });
      s.git("fetch", "-q", calm.repo, "main");
      s.git("reset", "-q", "--hard", "FETCH_HEAD");
      const visited = new Set<string>();
      const call = async <T>(work: (w: Workspace) => Promise<T>): Promise<T> => {
        const met = new Set<string>();
        for (;;) {
          const crashing = s.open((name) => {
            visited.add(name);
            if (met.has(name)) return;
            met.add(name);
            throw new Error(`crash at ${name}`);
          });
          try {
            return await work(crashing);
          } catch (error) {
            if (!(error instanceof Error && error.message.startsWith("crash at "))) throw error;
          }
        }
      };
      expect(await live(s, call)).toEqual(outcome);
      expect(visited).toContain("git.prepare.hidden");
    });
  },
);
