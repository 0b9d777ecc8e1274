// The promises of differences between trees, on real repositories: nobody can hide a change by what a tree says about itself.
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createGitTreeDiffs } from "../../src/adapters/trees/diffs.ts";
import { buildDiffHunks } from "../../src/core/views/page/review/diff.ts";
import type { TreeHome } from "../../src/ports/record/trees.ts";
import { prepared, removeScenes } from "./workspace-scene.ts";

afterAll(removeScenes);
const diffs = createGitTreeDiffs({ processes: createNodeProcesses() });

async function changed(edit: (folder: string) => void) {
  const s = await prepared();
  edit(s.place.path);
  const { tree } = await s.workspace.snapshot(s.place, "r1");
  const home: TreeHome = {
    config: { repo_path: s.place.repo, work_mode: s.place.mode },
    workspace: { path: s.place.path },
  };
  const trees = { from: s.place.baseCommit, to: tree };
  const rows = async (path: string) => {
    const patch = await diffs.patch(home, trees, { path }, 3);
    return patch.kind === "text" ? buildDiffHunks(patch.latin1)?.flatMap((hunk) => hunk.rows) : undefined;
  };
  return { home, ...trees, rows, changes: await diffs.changes(home, trees.from, tree) };
}

it("D1 every file that differs is told, with modes and ids", async () => {
  const { changes } = await changed((folder) => {
    writeFileSync(join(folder, "run.sh"), "#!/bin/sh\n");
    chmodSync(join(folder, "run.sh"), 0o755);
    symlinkSync("/etc/passwd", join(folder, "link"));
  });
  expect(changes).toMatchObject([
    { path: "link", status: "added", newMode: "120000", newId: expect.stringMatching(/^[0-9a-f]{40}$/) },
    { path: "run.sh", status: "added", newMode: "100755", added: 1, removed: 0 },
  ]);
});

it("D2 neither an attribute nor a NUL byte hides a change", async () => {
  const { rows, changes } = await changed((folder) => {
    writeFileSync(join(folder, ".gitattributes"), "* -diff binary\n");
    writeFileSync(join(folder, "evil.js"), "const quiet = 1;\nsteal('everything'); // \0\n");
  });
  // Git does not count the lines of what it takes for binary; it shows them all the same.
  expect(changes.find(({ path }) => path === "evil.js")).toMatchObject({ status: "added", added: null });
  expect((await rows("evil.js"))?.map(({ text }) => text)).toEqual([
    "const quiet = 1;",
    "steal('everything'); // ⟦U+0000⟧",
  ]);
});

it("D3 what is no id of a tree is not looked up", async () => {
  const { home, to } = await changed((folder) => writeFileSync(join(folder, "x"), "x"));
  expect(await diffs.changes(home, "HEAD", to)).toEqual([]);
  expect(await diffs.patch(home, { from: "--output=/tmp/x", to }, { path: "x" }, 3)).toEqual({
    kind: "text",
    latin1: "",
  });
});

it("D4 the size of each file is told by its id", async () => {
  const { home, changes } = await changed((folder) => writeFileSync(join(folder, "x"), "12345"));
  const id = changes.find(({ path }) => path === "x")?.newId ?? "";
  expect(await diffs.sizes(home, [id, "--batch-all-objects", "0".repeat(40)])).toEqual([5, null, null]);
});
