// Faults around git: a worktree deleted by hand, a base branch that is gone.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { gitLocks } from "./leftovers.ts";

const id = "b1";
const key = () => ["--operator-key", tool.key];
let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

/** The implementer has handed over; the reviewer asks a question, so the bubble rests between two turns. */
const restingAfterHandoff = {
  ...shortest,
  reviewer: [{ role: "reviewer", steps: [{ ask: "Is 2 right?" }, ...(shortest.reviewer[0]?.steps ?? [])] }],
};

async function atRest(): Promise<void> {
  await createScripted(tool, id, restingAfterHandoff);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  expect((await tool.status(id)).state).toBe("WAITING_HUMAN");
}

async function toItsEnd(): Promise<void> {
  await tool.ok("bubble", "approve", "--id", id, "--yes", ...key());
  await tool.ok("bubble", "commit", "--id", id, ...key());
  expect((await tool.status(id)).state).toBe("DONE");
  expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
}

describe("a worktree deleted by hand", () => {
  it("between two turns is built again from the newest pin, and the bubble continues", async () => {
    await atRest();
    rmSync(tool.worktree(id), { recursive: true });
    await tool.ok("bubble", "reply", "--id", id, "--message", "Yes");
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    expect(existsSync(join(tool.worktree(id), "src/cart.txt"))).toBe(true);
    expect(tool.log(id).filter(({ type }) => type === "TREE_CHANGED")).toEqual([]);
    await toItsEnd();
    expect(gitLocks(tool)).toEqual([]);
  });

  it("before the approval does not keep anybody from approving and committing what was reviewed", async () => {
    await createScripted(tool, id, shortest);
    await tool.ok("bubble", "start", "--id", id, "--headless");
    rmSync(tool.worktree(id), { recursive: true });
    await toItsEnd();
  });
});

it("continues from the pinned commit when the base branch is deleted", async () => {
  await atRest();
  const base = tool.git("rev-parse", "main").trim();
  tool.git("checkout", "-q", "-b", "elsewhere");
  tool.git("branch", "-D", "main");
  await tool.ok("bubble", "reply", "--id", id, "--message", "Yes");
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
  await toItsEnd();
  expect(tool.git("rev-parse", `bubble/${id}^`).trim()).toBe(base);
});
