// How a bubble's tree comes to be, is adopted, finished after a crash and rebuilt; and what it is never built over.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Workspace, WorkspacePlace } from "../../src/ports/workspace.ts";
import { prepared, removeScenes, scene, write, writeHook } from "./workspace-scene.ts";

afterAll(removeScenes);

const at = "2026-01-02T03:04:05.678Z";

describe("prepare", () => {
  it("makes a worktree on a branch of its own at the base commit, and adopts it the next time", async () => {
    const s = scene();
    writeHook(join(s.repo, ".git", "hooks", "post-checkout"));
    expect(await s.workspace.present(s.place)).toBe(false);
    await expect(s.workspace.treeId(s.place)).rejects.toMatchObject({ code: "workspace.gone" });
    const { tree, notes } = await s.workspace.prepare(s.place);
    expect(notes).toEqual([]);
    expect(tree).toBe(s.git("rev-parse", "main^{tree}"));
    expect(s.agent("status", "-sb", "--porcelain")).toBe("## pf/b1");
    expect(s.git("branch", "--show-current")).toBe("main");
    s.edit({ "a.txt": "work in progress\n" });
    const again = await s.workspace.prepare(s.place);
    expect(again.tree).toBe(await s.workspace.treeId(s.place));
    expect(s.read("a.txt")).toBe("work in progress\n");
  });

  it("works from the pinned commit after the base branch is gone", async () => {
    const s = scene();
    s.git("switch", "-q", "-c", "feature");
    s.git("commit", "-q", "--allow-empty", "-m", "only here");
    const place = { ...s.place, baseCommit: await s.workspace.resolve(s.repo, "feature") };
    await s.workspace.prepare(place);
    s.git("switch", "-q", "main");
    s.git("branch", "-q", "-D", "feature");
    s.git("reflog", "expire", "--expire=now", "--all");
    s.git("gc", "-q", "--prune=now");
    s.edit({ "a.txt": "still works\n" });
    const { tree, problems } = await s.workspace.snapshot(place, "round-1");
    expect(problems).toEqual([]);
    const id = await s.workspace.commit(place, { tree, message: "done", at });
    expect(s.git("rev-parse", `${id}^`)).toBe(place.baseCommit);
  });

  it("rebuilds a worktree that was deleted by hand from the newest pin", async () => {
    const s = await prepared({ ".gitignore": "*.log\n", "a.txt": "one\n", "b.txt": "two\n" });
    s.edit({ "a.txt": "round one\n" });
    await s.workspace.snapshot(s.place, "z-first");
    s.edit({ "a.txt": "round two\n", "new.txt": "n\n" });
    rmSync(join(s.place.path, "b.txt"));
    const { tree } = await s.workspace.snapshot(s.place, "a-second");
    rmSync(s.place.path, { recursive: true });
    expect(await s.workspace.present(s.place)).toBe(false);
    const rebuilt = await s.workspace.prepare(s.place);
    expect(rebuilt.tree).toBe(tree);
    expect(rebuilt.notes).toEqual([expect.stringContaining("rebuilt")]);
    expect(s.agent("status", "--porcelain")).toBe("M a.txt\n D b.txt\n?? new.txt");
    expect(await s.workspace.present(s.place)).toBe(true);
  });

  it("rebuilds at the base when nothing was pinned, and after a `git worktree prune` too", async () => {
    const s = await prepared();
    rmSync(s.place.path, { recursive: true });
    s.git("worktree", "prune");
    expect((await s.workspace.prepare(s.place)).tree).toBe(s.tree);
  });

  it("puts back the link that an agent deleted", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "work\n" });
    rmSync(join(s.place.path, ".git"));
    expect(await s.workspace.present(s.place)).toBe(false);
    await s.workspace.prepare(s.place);
    expect(await s.workspace.present(s.place)).toBe(true);
    expect(s.agent("status", "--porcelain")).toBe("M a.txt");
  });

  it("takes over neither a folder, a branch nor a worktree of somebody else", async () => {
    const s = scene();
    const refused = (code: string) => expect(s.workspace.prepare(s.place)).rejects.toMatchObject({ code });
    write(s.place.path, { "mine.txt": "m\n" });
    await refused("workspace.path-taken");
    rmSync(s.place.path, { recursive: true });
    s.git("branch", "pf/b1");
    await refused("workspace.branch-taken");
    s.git("worktree", "add", "-q", s.place.path, "pf/b1");
    await refused("workspace.branch-taken");
    s.git("worktree", "remove", s.place.path);
    s.git("branch", "-q", "-D", "pf/b1");
    mkdirSync(s.place.path, { recursive: true });
    expect((await s.workspace.prepare(s.place)).notes).toEqual([]);
    const other = { ...s.place, baseCommit: s.git("commit-tree", "-m", "x", "main^{tree}") };
    rmSync(s.place.path, { recursive: true });
    await expect(s.workspace.prepare(other)).rejects.toMatchObject({ code: "workspace.other-base" });
  });

  it.each(["set by git sparse-checkout", "set by hand"])(
    "has all files though the main checkout is sparse, %s",
    async (how) => {
      const s = scene({ "a/x.txt": "x\n", "b/y.txt": "y\n" });
      if (how === "set by hand") {
        s.git("config", "core.sparseCheckout", "true");
        write(s.repo, { ".git/info/sparse-checkout": "/a/\n" });
        s.git("read-tree", "-mu", "HEAD");
      } else s.git("sparse-checkout", "set", "a");
      expect(existsSync(join(s.repo, "b"))).toBe(false);
      const { tree, notes } = await s.workspace.prepare(s.place);
      expect(tree).toBe(s.git("rev-parse", "main^{tree}"));
      expect(notes).toEqual(["sparse checkout is off in this tree"]);
      expect(s.read("b/y.txt")).toBe("y\n");
      expect(s.agent("status", "--porcelain")).toBe("");
      expect((await s.workspace.snapshot(s.place, "r1")).problems).toEqual([]);
      expect(s.git("config", "core.sparseCheckout")).toBe("true");
      s.git("read-tree", "-mu", "HEAD");
      expect(existsSync(join(s.repo, "b"))).toBe(false);
    },
  );
});

describe(".worktreeinclude", () => {
  it("copies what git ignores here and there, with modes, over nothing and out of nowhere", async () => {
    const s = scene({
      ".gitignore": ".env*\nlocal/\n.pairflow/\nlink*\n",
      ".worktreeinclude":
        "# what a fresh tree needs\n.env*\n!.env.skip\nlocal/\nlink*\n*.new\n.pairflow\nsrc\n",
      "src/tracked.txt": "t\n",
    });
    write(s.repo, {
      ".env": "SECRET=1\n",
      ".env.skip": "no\n",
      "local/run.sh": "#!/bin/sh\n",
      "exposed.new": "not ignored on the base\n",
      "src/untracked.txt": "not ignored at all\n",
      ".pairflow/bubbles/b1/state.json": "{}\n",
      "outside.txt": "o\n",
    });
    chmodSync(join(s.repo, "local/run.sh"), 0o750);
    write(s.repo, { ".git/info/exclude": "" });
    write(s.repo, { ".gitignore": `${readFileSync(join(s.repo, ".gitignore"), "utf8")}*.new\n` });
    symlinkSync("/etc/passwd", join(s.repo, "link-out"));
    symlinkSync("../../elsewhere", join(s.repo, "link-up"));
    symlinkSync(".env", join(s.repo, "link-in"));
    const { tree, notes } = await s.workspace.prepare(s.place);
    expect(tree).toBe(s.git("rev-parse", "main^{tree}"));
    expect(notes).toEqual([
      "copied, as .worktreeinclude says: .env, link-in, local/run.sh",
      "not copied, since git does not ignore it on the base commit: exposed.new",
      "not copied, since it leads out of the tree: link-out, link-up",
    ]);
    expect(s.read(".env")).toBe("SECRET=1\n");
    expect(s.read("link-in")).toBe("SECRET=1\n");
    expect(statSync(join(s.place.path, "local/run.sh")).mode & 0o777).toBe(0o750);
    expect(lstatSync(join(s.place.path, "link-out"), { throwIfNoEntry: false })).toBeUndefined();
    expect(await s.workspace.prepare(s.place)).toMatchObject({ tree, notes });
  });
});

/** One bubble's life with every call of the port that changes something; each call is repeated until it succeeds. */
async function live(
  place: WorkspacePlace,
  call: <T>(work: (w: Workspace) => Promise<T>) => Promise<T>,
  edit: (text: string) => void,
) {
  const { tree: base } = await call((w) => w.prepare(place));
  edit("stray\n");
  await call((w) => w.restore(place, base));
  edit("approved\n");
  const shot = await call((w) => w.snapshot(place, "round-1"));
  rmSync(place.path, { recursive: true });
  const rebuilt = await call((w) => w.prepare(place));
  const id = await call((w) => w.commit(place, { tree: shot.tree, message: "done", at }));
  await call((w) => w.remove(place, { dropBranch: false }));
  return { base, shot, rebuilt: rebuilt.tree, id };
}

describe.each(["worktree", "clone"] as const)("a crash between any two git calls of a %s", (mode) => {
  it("changes nothing about the outcome", async () => {
    const once = scene(undefined, { mode });
    const calm = await live(
      once.place,
      (work) => work(once.workspace),
      (text) => once.edit({ "a.txt": text }),
    );
    const s = scene(undefined, { mode, baseCommit: once.place.baseCommit });
    // Both scenes must share the base commit, or the ids could not be compared.
    s.git("fetch", "-q", once.repo, "main");
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
    const outcome = await live(s.place, call, (text) => s.edit({ "a.txt": text }));
    expect(outcome).toEqual(calm);
    expect(visited.size).toBeGreaterThanOrEqual(mode === "clone" ? 18 : 17);
    expect(s.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/heads/pf/b1");
    expect(existsSync(s.place.path)).toBe(false);
  });
});

describe("a neighbour's worktree that is just being registered", () => {
  it("is waited for, and the bubble's own is made", async () => {
    const s = scene();
    const neighbour = join(s.repo, ".git", "worktrees", "neighbour");
    write(neighbour, { HEAD: "ref: refs/heads/main\n", gitdir: `${s.root}/elsewhere/.git\n`, commondir: "" });
    expect(() => s.git("worktree", "add", `${s.root}/probe`, "-b", "probe")).toThrow(/failed to read/);
    setTimeout(() => write(neighbour, { commondir: "../..\n" }), 120);
    await s.workspace.prepare(s.place);
    expect(s.read("a.txt")).toBe("one\n");
  });
});
