// What the workspace answers about a repository before and beside any bubble.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseChanges } from "../../src/core/text/diff/raw.ts";
import { prepared, removeScenes, scene, write, writeHook } from "./workspace-scene.ts";

afterAll(removeScenes);

describe("branches", () => {
  it("resolve to commits: local first, then remote ones, tags and full ids", async () => {
    const s = scene();
    const first = s.place.baseCommit;
    s.git("commit", "-q", "--allow-empty", "-m", "second");
    s.git("update-ref", "refs/remotes/origin/far", first);
    s.git("tag", "v1", first);
    for (const name of ["origin/far", "far", "v1", first])
      expect(await s.workspace.resolve(s.repo, name)).toBe(first);
    expect(await s.workspace.resolve(s.repo, "main")).toBe(s.git("rev-parse", "HEAD"));
    expect(await s.workspace.defaultBranch(s.repo)).toBe("main");
  });

  it("that do not exist are a failure with the nearest known one first", async () => {
    const s = scene();
    for (const name of ["develop", "release/1"]) s.git("branch", name);
    const unknown = (name: string) => expect(s.workspace.resolve(s.repo, name)).rejects;
    await unknown("release/2").toMatchObject({
      code: "git.no-base",
      hint: "known branches: release/1, develop, main",
    });
    await unknown("--all").toMatchObject({ code: "git.no-base" });
    await unknown("0".repeat(40)).toMatchObject({ code: "git.no-base" });
  });

  it("may be missing altogether", async () => {
    const s = scene();
    s.git("switch", "-q", "--detach");
    await expect(s.workspace.defaultBranch(s.repo)).rejects.toMatchObject({ code: "git.detached" });
    const empty = join(s.root, "empty");
    s.git("init", "-q", empty);
    await expect(s.workspace.resolve(empty, "main")).rejects.toMatchObject({
      code: "git.no-base",
      hint: expect.stringContaining("first commit"),
    });
    await expect(s.workspace.resolve(s.root, "main")).rejects.toMatchObject({ code: "git.not-a-repository" });
  });
});

describe("files at a commit", () => {
  it("are read from that commit, not from the checkout", async () => {
    const s = scene({ "a.txt": "one\n", "dir/ü b.txt": "two\n" });
    const at = s.place.baseCommit;
    write(s.repo, { "a.txt": "changed\n" });
    expect(await s.workspace.fileAt(s.repo, at, "a.txt")).toBe("one\n");
    expect(await s.workspace.fileAt(s.repo, at, "dir/ü b.txt")).toBe("two\n");
    expect(await s.workspace.fileAt(s.repo, at, "dir")).toBeUndefined();
    expect(await s.workspace.fileAt(s.repo, at, "none.txt")).toBeUndefined();
    expect(await s.workspace.filesAt(s.repo, at)).toEqual(["a.txt", "dir/ü b.txt"]);
    await expect(s.workspace.fileAt(s.repo, "1".repeat(40), "a.txt")).rejects.toMatchObject({
      code: "git.failed",
    });
  });
});

describe("hooks", () => {
  it("are the executable ones, where core.hooksPath says", async () => {
    const s = await prepared();
    expect(await s.workspace.hooks(s.place)).toEqual([]);
    const folder = join(s.repo, ".git", "hooks");
    writeHook(join(folder, "pre-commit"));
    write(folder, { "commit-msg": "#!/bin/sh\n" });
    const pre = { name: "pre-commit", path: ".git/hooks/pre-commit", inTree: true };
    expect(await s.workspace.hooks(s.place)).toEqual([pre]);
    s.git("config", "core.hooksPath", ".husky");
    expect(await s.workspace.hooks(s.place)).toEqual([]);
    writeHook(join(s.repo, ".husky", "commit-msg"));
    const husky = { name: "commit-msg", path: ".husky/commit-msg" };
    expect(await s.workspace.hooks(s.place)).toEqual([{ ...husky, inTree: false }]);
    writeHook(join(s.place.path, ".husky", "commit-msg"));
    expect(await s.workspace.hooks(s.place)).toEqual([{ ...husky, inTree: true }]);
  });

  it("are none where husky's file finds no script to run", async () => {
    const s = await prepared();
    const stub = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"';
    for (const name of ["pre-commit", "commit-msg"]) {
      const file = join(s.repo, ".husky", "_", name);
      writeHook(file);
      writeFileSync(file, stub);
    }
    write(s.repo, { ".husky/pre-commit": "npm test\n" });
    s.git("config", "core.hooksPath", ".husky/_");
    expect(await s.workspace.hooks(s.place)).toMatchObject([{ name: "pre-commit" }]);
    // A script that only the bubble's tree has would run there.
    s.edit({ ".husky/commit-msg": "true\n" });
    expect(await s.workspace.hooks(s.place)).toMatchObject([{ name: "pre-commit" }, { name: "commit-msg" }]);
  });

  it("find the judged tree staged in an index of their own", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "judged\n", "new.txt": "n\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-1");
    rmSync(join(s.place.path, "new.txt"));
    const index = await s.workspace.stagedIndex(s.place, tree);
    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: s.place.path,
        encoding: "utf8",
        env: { ...process.env, GIT_INDEX_FILE: index },
      });
    expect(git("diff", "--cached", "--name-only")).toBe("a.txt\nnew.txt\n");
    expect(git("diff-files", "--name-only")).toBe("new.txt\n");
    expect(s.agent("diff", "--cached", "--name-only")).toBe("");
  });
});

describe("git's raw difference", () => {
  it("is read whatever is in a name", () => {
    const id = "0".repeat(40);
    const raw = [
      `:100644 100644 ${id} ${id} R090`,
      "old\tname",
      "new\nname",
      `:100644 120000 ${id} ${id} T`,
      ":odd",
    ];
    const counts = ["1\t2\t", "old\tname", "new\nname", "-\t-\t:odd"];
    expect(parseChanges(`${[...raw, ...counts].join("\0")}\0`)).toEqual([
      {
        path: "new\nname",
        from: "old\tname",
        status: "renamed",
        added: 1,
        removed: 2,
        oldMode: "100644",
        newMode: "100644",
        oldId: id,
        newId: id,
      },
      {
        path: ":odd",
        status: "type-changed",
        added: null,
        removed: null,
        oldMode: "100644",
        newMode: "120000",
        oldId: id,
        newId: id,
      },
    ]);
  });
});
