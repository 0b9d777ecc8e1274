// What a command left behind is looked at without leaving its folder, and is known as new by what nobody can set.
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createFileScratch } from "../../src/adapters/scratch/file.ts";

const outside = mkdtempSync(join(tmpdir(), "pairflow-left-"));
const root = join(outside, "tree");
const scratch = createFileScratch();
mkdirSync(join(root, "web"), { recursive: true });
writeFileSync(join(root, "coverage.out"), "mode: set\n");
writeFileSync(join(outside, "secret.txt"), "x");
symlinkSync(outside, join(root, "up"));
symlinkSync("web", join(root, "site"));
symlinkSync(join(outside, "secret.txt"), join(root, "lcov.info"));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

describe("the files of a folder", () => {
  it("are told by name with their bytes, without folders and links", async () => {
    expect(await scratch.filesIn(root)).toEqual([
      { name: "coverage.out", bytes: Buffer.from("mode: set\n") },
    ]);
    expect(await scratch.filesIn(join(root, "nothing"))).toEqual([]);
  });
});

describe("a folder", () => {
  it("is found inside the tree, links resolved", async () => {
    expect(await scratch.folderIn(root, ".")).toBe(root);
    expect(await scratch.folderIn(root, "site")).toBe(join(root, "web"));
  });

  it.each(["nothing", "coverage.out", "..", "up", "web/../../.."])("is not %s", async (path) => {
    expect(await scratch.folderIn(root, path)).toBeUndefined();
  });
});

describe("a file", () => {
  it("is read whole", async () => {
    expect((await scratch.fileIn(root, "coverage.out"))?.text()).toBe("mode: set\n");
  });

  it.each(["nothing", "web", "lcov.info", "up/secret.txt", "../secret.txt"])("is not %s", async (path) => {
    expect(await scratch.fileIn(root, path)).toBeUndefined();
  });

  it("has another mark after every write, even one that puts size and time back", async () => {
    const path = join(root, "coverage.out");
    const { atime, mtime } = statSync(path);
    const before = await scratch.fileIn(root, "coverage.out");
    expect((await scratch.fileIn(root, "coverage.out"))?.mark).toBe(before?.mark);
    await sleep(30);
    writeFileSync(path, "mode: SET\n");
    utimesSync(path, atime, mtime);
    expect((await scratch.fileIn(root, "coverage.out"))?.mark).not.toBe(before?.mark);
  });
});
