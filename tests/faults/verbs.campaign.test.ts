// Operator's commands, killed at one crash point after the other and typed again each time, until they come through.
// With PAIRFLOW_SOAK=1 at every point, in `npm test` at every third.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScripted, type Ran, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { processesOf } from "./leftovers.ts";
import { hangingTurn } from "./scene.ts";

const id = "b1";
const stride = process.env.PAIRFLOW_SOAK === "1" ? 1 : 3;
const timeout = 120_000;
let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const ofType = (type: string) => tool.log(id).filter((envelope) => envelope.type === type);
const key = () => ["--operator-key", tool.key];

/** Types the command until it is not killed any more, each time killed a little later; returns how it ended. */
async function typedUntilDone(...args: string[]): Promise<Ran & { readonly kills: number }> {
  for (let at = 1, kills = 0; ; at += stride, kills += 1) {
    const points = join(tool.folder, `points-${args[1]}-${at}`);
    const ran = await tool
      .with({ PAIRFLOW_CRASH_FILE: points, PAIRFLOW_CRASH_AT: String(at) })
      .run(...args, "--id", id);
    if (ran.code !== 128) return { ...ran, kills };
    expect(existsSync(`${points}.killed`)).toBe(true);
  }
}

async function readyForApproval(): Promise<void> {
  await createScripted(tool, id, shortest);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
}

test("a stop that is killed again and again ends every process, and is on the record once", {
  timeout,
}, async () => {
  await hangingTurn(tool);
  const { driver } = await tool.status(id);
  if ("pid" in driver) process.kill(driver.pid, "SIGKILL");
  const stopped = await typedUntilDone("bubble", "stop");
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id} was stopped before`) });
  expect(stopped.kills).toBeGreaterThan(2);
  expect(processesOf(tool)).toEqual([]);
  expect(ofType("CANCELLED")).toHaveLength(1);
});

test("a deletion that is killed again and again removes the worktree and keeps branch and record", {
  timeout,
}, async () => {
  await hangingTurn(tool);
  await tool.ok("bubble", "stop", "--id", id);
  expect((await typedUntilDone("bubble", "delete")).code).toBe(0);
  expect(existsSync(tool.worktree(id))).toBe(false);
  expect(tool.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(tool.git("for-each-ref", "refs/pairflow")).toBe("");
  expect(tool.git("rev-parse", `bubble/${id}`)).toBe(tool.git("rev-parse", "main"));
  const archived = join(tool.repo, ".pairflow", "archive", id, "transcript.ndjson");
  expect(readFileSync(archived, "utf8")).toContain("CANCELLED");
});

test("an approval and a commit that are killed again and again are one decision and one commit", {
  timeout,
}, async () => {
  await readyForApproval();
  const approved = await typedUntilDone("bubble", "approve", "--yes", ...key());
  expect(approved.code === 0 ? "" : approved.stderr).toMatch(/^$|approve\.already/);
  expect((await tool.status(id)).state).toBe("APPROVED_FOR_COMMIT");
  const committed = await typedUntilDone("bubble", "commit", ...key());
  expect(committed.code === 0 ? "" : committed.stderr).toMatch(/^$|bubble\.ended/);
  expect((await tool.status(id)).state).toBe("DONE");
  expect(ofType("APPROVAL_DECISION")).toHaveLength(1);
  expect(ofType("COMMITTED")).toHaveLength(1);
  expect(tool.git("rev-list", "--count", `main..bubble/${id}`).trim()).toBe("1");
  await tool.ok("verify", "--id", id);
});

test("files put back by a command that is killed again and again are kept for git", { timeout }, async () => {
  await readyForApproval();
  writeFileSync(join(tool.worktree(id), "src/cart.txt"), "total: 99\n");
  expect((await typedUntilDone("bubble", "resume", "--put-back")).code).toBe(0);
  expect(readFileSync(join(tool.worktree(id), "src/cart.txt"), "utf8")).toBe("total: 2\n");
  const pins = tool.git("for-each-ref", "--format=%(refname)", `refs/pairflow/${id}`).split("\n");
  const undone = pins.find((ref) => ref.includes("/undone-"));
  expect(tool.git("show", `${undone}:src/cart.txt`)).toBe("total: 99\n");
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
});
