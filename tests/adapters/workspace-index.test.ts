// The private index that is kept between two looks at a tree: it makes them cheap, and must never hide a change.
import { chmodSync, existsSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createGitWorkspace } from "../../src/adapters/workspace/git.ts";
import { prepared, removeScenes } from "./workspace-scene.ts";

afterAll(removeScenes);

describe("G1 the tree, through a private index that is kept", () => {
  it("sees a change of the same size at the same young time stamp", async () => {
    const s = await prepared();
    const file = join(s.place.path, "a.txt");
    s.edit({ "a.txt": "111\n" });
    const { atime, mtime } = statSync(file);
    const one = await s.workspace.treeId(s.place);
    s.edit({ "a.txt": "222\n" });
    utimesSync(file, atime, mtime);
    const two = await s.workspace.treeId(s.place);
    expect(two).not.toBe(one);
    s.edit({ "a.txt": "333\n" });
    utimesSync(file, atime, mtime);
    expect(await s.workspace.treeId(s.place)).not.toBe(two);
  });

  it("is read through a kept index, and sees every kind of change all the same", async () => {
    const s = await prepared({ "a.txt": "one\n", "src/b.txt": "two\n", ".gitignore": "ignored\n" });
    const changes: (() => void)[] = [
      () => s.edit({ "a.txt": "two\n" }),
      () => s.edit({ "new.txt": "new\n" }),
      () => rmSync(join(s.place.path, "src", "b.txt")),
      () => chmodSync(join(s.place.path, "a.txt"), 0o755),
      () => {
        rmSync(join(s.place.path, "a.txt"));
        symlinkSync("new.txt", join(s.place.path, "a.txt"));
      },
    ];
    const seen = [await s.workspace.treeId(s.place)];
    expect(existsSync(join(s.root, "runtime", "b1.index"))).toBe(true);
    for (const change of changes) {
      change();
      seen.push(await s.workspace.treeId(s.place));
      expect(seen.at(-1)).toBe(await s.workspace.treeId(s.place));
    }
    expect(new Set(seen).size).toBe(seen.length);
    s.edit({ ignored: "x\n" });
    expect(await s.workspace.treeId(s.place)).toBe(seen.at(-1));
  });

  it("costs one call of git where nothing changed, and no more than the tree where files did", async () => {
    const s = await prepared();
    const calls: string[] = [];
    const processes = createNodeProcesses();
    const counted = createGitWorkspace({
      processes: {
        ...processes,
        exec: (argv, options) => {
          calls.push(argv.find((word) => /^(add|write-tree|ls-files|read-tree)$/.test(word)) ?? "other");
          return processes.exec(argv, options);
        },
      },
      runtimeDir: join(s.root, "runtime"),
      env: { PATH: process.env.PATH, HOME: s.home },
    });
    s.edit({ "a.txt": "young\n" });
    await counted.treeId(s.place);
    calls.length = 0;
    await counted.treeId(s.place);
    expect(calls).toEqual(["ls-files"]);
    s.edit({ "a.txt": "younger\n" });
    calls.length = 0;
    await counted.treeId(s.place);
    expect(calls).toEqual(["ls-files", "add", "write-tree"]);
  });

  it("is read through it also when the files have come to rest", async () => {
    const s = await prepared();
    // Only files whose second is over, and the one after it, count as being at rest.
    const rested = Math.floor(statSync(join(s.place.path, "a.txt")).ctimeMs / 1000) + 2;
    await vi.waitUntil(() => Date.now() >= rested * 1000, { timeout: 5000, interval: 20 });
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
    s.edit({ "a.txt": "two\n" });
    expect(await s.workspace.treeId(s.place)).not.toBe(s.tree);
    s.edit({ "a.txt": "one\n" });
    expect(await s.workspace.treeId(s.place)).toBe(s.tree);
  });
});
