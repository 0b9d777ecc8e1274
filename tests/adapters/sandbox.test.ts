// Sandboxes while other programs work beside them: what is looked up before a sandbox starts may be gone when it does.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createBubblewrap } from "../../src/adapters/sandbox/bubblewrap.ts";
import { getTreeFolders } from "../../src/adapters/workspace/checkout/folders.ts";
import type { Mount } from "../../src/core/sandbox/mount.ts";
import { prepared, removeScenes } from "./workspace-scene.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pairflow-sandbox-")));
afterAll(() => {
  removeScenes();
  rmSync(folder, { recursive: true, force: true });
});

const processes = createNodeProcesses();
const sandboxes = createBubblewrap({
  processes,
  user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
  tryIn: folder,
  platform: process.platform,
  remove: (path) => rmSync(path, { recursive: true, force: true }),
});
const available = (await sandboxes.state()).kind === "bubblewrap";

describe.runIf(available)("a sandbox whose surroundings change between the look and the start", () => {
  const enter = (mounts: readonly Mount[]) =>
    sandboxes.enter({ mounts, network: false, endsWithParent: true, name: "test", folder });

  it("starts without a read-only path that is gone meanwhile", async () => {
    const lock = join(folder, "other.lock");
    writeFileSync(lock, "");
    const { prefix, leave } = await enter([
      { kind: "write", path: folder },
      { kind: "read", path: lock },
    ]);
    rmSync(lock);
    const ran = await processes.exec([...prefix, "echo", "ran"]);
    await leave();
    expect(ran).toMatchObject({ code: 0, stdout: "ran\n" });
  });

  it("does not start without the folder that it works in", async () => {
    const work = join(folder, "work");
    mkdirSync(work);
    const { prefix, leave } = await enter([{ kind: "write", path: work }]);
    rmSync(work, { recursive: true });
    const ran = await processes.exec([...prefix, "echo", "ran"]);
    await leave();
    expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("bwrap: ") });
  });
});

it("git's lock files beside a branch are not taken for branches", async () => {
  const { place, repo, git } = await prepared();
  git("branch", "pf/other");
  const heads = join(repo, ".git", "refs", "heads", "pf");
  for (const name of ["b1.lock", "other.lock", "third.lock"]) writeFileSync(join(heads, name), "");
  expect(getTreeFolders(place, place.path).git).toMatchObject({ kind: "worktree", siblings: ["other"] });
});
