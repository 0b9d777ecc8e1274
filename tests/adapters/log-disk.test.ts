// A disk that refuses: full, read-only, failing. Each has one clear answer, and what was acknowledged stays.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFileRecords } from "../../src/adapters/records/file.ts";
import { emptyHead } from "../../src/ports/record/log.ts";
import { buildMessages, getMessageText, readAll } from "../../src/testing/messages.ts";
import { ended, logIn, scratch, startWorker, workerFile } from "./rigs.ts";

const nobody = 65534;
let folder: ReturnType<typeof scratch>;

beforeEach(() => {
  folder = scratch();
});
afterEach(() => {
  spawnSync("chmod", ["-R", "u+w", folder.root]);
  folder.remove();
});

test("a full disk refuses the command with a hint; what it had acknowledged stays, and room lets it continue", async () => {
  const orders = JSON.stringify({ root: folder.root, job: "fill", bubble: "b1", size: 3000 });
  const child = spawn("bash", [
    "-c",
    'ulimit -f 16; exec "$0" "$@"',
    process.execPath,
    await workerFile(),
    orders,
  ]);
  const said = await ended(child);
  const failure = said.at(-1)?.failure;
  const acknowledged = said.length - 1;
  expect(failure).toMatchObject({
    code: "log.disk-full",
    hint: expect.stringContaining("df -h"),
    retryable: false,
  });
  expect(acknowledged).toBe(4);

  const log = logIn(folder.root);
  const left = await readAll(log, "b1");
  expect(left.head.seq).toBe(acknowledged);
  expect(left.skipped).toEqual([{ line: acknowledged + 1, reason: expect.stringMatching(/^torn/) }]);
  const again = await log.append("b1", left.head, buildMessages("b1", left.head, "again", ["again"]));
  expect(again.ok).toBe(true);
  expect(getMessageText((await readAll(log, "b1")).envelopes.at(-1)!)).toBe("again");
});

/** Whoever may not write here: another user when the tests run as root, whom no mode stops. */
function stranger(): { uid?: number; gid?: number } {
  if (process.getuid?.() === 0) {
    // Records are their owner's alone; this one lets others look.
    spawnSync("chmod", ["-R", "a+rX", join(folder.root, ".pairflow")]);
    return { uid: nobody, gid: nobody };
  }
  spawnSync("chmod", ["-R", "a-w", join(folder.root, ".pairflow", "bubbles")]);
  return {};
}

test("a read-only folder refuses the command with a hint, and reading continues", async () => {
  const log = logIn(folder.root);
  const { head: expected } = await log.append("b1", emptyHead, buildMessages("b1", emptyHead, "c1", ["a"]));
  const envelopes = buildMessages("b1", expected, "c2", ["b"]);
  const orders = { root: folder.root, job: "append", bubble: "b1", expected, envelopes } as const;
  const said = await ended(await startWorker(orders, stranger()));
  expect(said).toEqual([{ failure: expect.objectContaining({ code: "log.read-only", retryable: false }) }]);
  expect((await readAll(log, "b1")).envelopes).toHaveLength(1);
});

test("in a read-only folder caches and views are left alone, and an artifact is refused", async () => {
  await createFileRecords({ root: folder.root }).create("b1");
  await logIn(folder.root).append("b1", emptyHead, buildMessages("b1", emptyHead, "c1", ["a"]));
  const said = await ended(await startWorker({ root: folder.root, job: "put", bubble: "b1" }, stranger()));
  expect(said).toEqual([{ failure: expect.objectContaining({ code: "artifact.read-only" }) }]);
});

test("a sync that fails is a failure to try again, and the second try finds the first", async () => {
  let failures = 0;
  const log = logIn(folder.root, (point) => {
    if (point === "log.after-write" && failures++ === 0)
      throw Object.assign(new Error("i/o error"), { code: "EIO" });
  });
  const batch = buildMessages("b1", emptyHead, "c1", ["a"]);
  await expect(log.append("b1", emptyHead, batch)).rejects.toMatchObject({
    code: "log.write-failed",
    retryable: true,
  });
  expect(await log.append("b1", emptyHead, batch)).toMatchObject({ ok: true, head: { seq: 1 } });
  expect((await readAll(log, "b1")).envelopes).toHaveLength(1);
});
