// Clone mode end to end: isolated while the agents work, and all of it in the main repository in time.
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prepared, removeScenes, scene, write } from "./workspace-scene.ts";

afterAll(removeScenes);

const at = "2026-01-02T03:04:05.678Z";
const mode = "clone" as const;

describe("a bubble in a clone", () => {
  it("goes from the base to a commit on the branch in the main repository", async () => {
    const s = await prepared(undefined, { mode });
    expect(s.agent("status", "-sb", "--porcelain")).toBe("## pf/b1");
    const marker = JSON.parse(readFileSync(join(s.place.path, ".git", "pairflow.json"), "utf8"));
    expect(marker).toMatchObject({ repo: s.repo, bubble: "b1" });
    s.edit({ "a.txt": "work\n" });
    s.agent("-c", "user.name=Bot", "commit", "-qam", "agent's own");
    const own = s.agent("rev-parse", "HEAD");
    s.edit({ "a.txt": "more work\n" });
    expect(s.git("branch", "--list", "pf/b1")).toBe("");
    const shot = await s.workspace.snapshot(s.place, "round-1");
    expect(shot.problems).toEqual([]);
    expect(s.git("show", `${shot.ref}:a.txt`)).toBe("more work");
    expect(s.git("rev-parse", `refs/pairflow/b1/agent-${own.slice(0, 12)}`)).toBe(own);
    const id = await s.workspace.commit(s.place, { tree: shot.tree, message: "done", at });
    expect(await s.workspace.commit(s.place, { tree: shot.tree, message: "done", at })).toBe(id);
    expect(s.git("log", "--format=%H %an", "main..pf/b1")).toBe(`${id} Ada`);
    expect(s.agent("rev-parse", "HEAD")).toBe(id);
    expect(s.agent("status", "--porcelain")).toBe("");
    expect(s.git("status", "--porcelain")).toBe("");
    await s.workspace.remove(s.place, { dropBranch: false });
    expect(existsSync(s.place.path)).toBe(false);
    expect(s.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/heads/pf/b1");
  });

  it("shares no object file and cannot push back", async () => {
    const s = await prepared(undefined, { mode });
    const object = `objects/${s.place.baseCommit.slice(0, 2)}/${s.place.baseCommit.slice(2)}`;
    expect(statSync(join(s.repo, ".git", object)).nlink).toBe(1);
    expect(() => s.agent("push", "-q", "origin", "HEAD:refs/heads/x")).toThrow();
    expect(s.git("branch", "--list", "x")).toBe("");
  });

  it("is rebuilt from the newest pin, committed without its clone, and compared after it", async () => {
    const s = await prepared(undefined, { mode });
    s.edit({ "a.txt": "work\n", "new.txt": "n\n" });
    const { tree, files } = await s.workspace.snapshot(s.place, "round-1");
    rmSync(s.place.path, { recursive: true });
    expect(await s.workspace.changedBetween(s.place, s.tree, tree)).toEqual(files);
    expect((await s.workspace.prepare(s.place)).tree).toBe(tree);
    expect(s.agent("status", "-sb", "--porcelain")).toBe("## pf/b1\n M a.txt\n?? new.txt");
    rmSync(s.place.path, { recursive: true });
    const id = await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(s.git("rev-parse", "pf/b1")).toBe(id);
    expect((await s.workspace.prepare(s.place)).tree).toBe(tree);
    expect(s.agent("rev-parse", "HEAD")).toBe(id);
    expect(s.agent("status", "--porcelain")).toBe("");
  });

  it("works from a base commit that no branch reaches, and copies what .worktreeinclude names", async () => {
    const s = scene({ ".gitignore": ".env\n", ".worktreeinclude": ".env\n", "a.txt": "one\n" }, { mode });
    write(s.repo, { ".env": "SECRET=1\n" });
    const place = {
      ...s.place,
      baseCommit: s.git("commit-tree", "-p", "main", "-m", "lonely", "main^{tree}"),
    };
    const { notes } = await s.workspace.prepare(place);
    expect(notes).toEqual(["copied, as .worktreeinclude says: .env"]);
    expect(s.read(".env")).toBe("SECRET=1\n");
    expect(s.agent("rev-parse", "HEAD")).toBe(place.baseCommit);
  });

  it("is removed only when nothing of it is lost, and only when it is the bubble's", async () => {
    const s = await prepared(undefined, { mode });
    s.agent("switch", "-q", "-c", "aside");
    s.agent("commit", "-q", "--allow-empty", "-m", "aside");
    s.agent("switch", "-q", "pf/b1");
    expect(await s.workspace.unreachable(s.place, { dropBranch: false })).toEqual([
      expect.stringContaining("refs/heads/aside in "),
    ]);
    await expect(s.workspace.remove(s.place, { dropBranch: false })).rejects.toMatchObject({
      code: "workspace.unsaved-work",
    });
    rmSync(join(s.place.path, ".git", "pairflow.json"));
    const force = { dropBranch: true, force: true };
    await expect(s.workspace.remove(s.place, force)).rejects.toMatchObject({ code: "workspace.not-ours" });
    expect(existsSync(s.place.path)).toBe(true);
  });

  it("is not built over a folder of somebody else", async () => {
    const s = scene(undefined, { mode });
    s.git("clone", "-q", "--no-checkout", s.repo, s.place.path);
    await expect(s.workspace.prepare(s.place)).rejects.toMatchObject({ code: "workspace.path-taken" });
  });
});
