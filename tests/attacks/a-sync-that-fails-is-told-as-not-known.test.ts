// When the disk does not confirm a line, nobody knows whether it counts. The product says so, proves it by writing the
// bytes anew or not at all, and the next command finds out; nothing ever counts twice.
import fs, { statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyHead } from "../../src/ports/record/log.ts";
import { buildMessages, getMessageText, readAll } from "../../src/testing/messages.ts";
import { logIn, scratch, transcriptIn } from "../adapters/rigs.ts";
import { type Fault, withFault } from "./failing-disk.ts";

const transcript = "transcript.ndjson";
let folder: ReturnType<typeof scratch>;
beforeEach(() => {
  folder = scratch();
});
afterEach(() => folder.remove());

/** A log with one line, and a second one appended while the disk fails. */
async function appendDuring(fault: Omit<Fault, "path"> & { path?: string }) {
  const log = logIn(folder.root);
  const first = await log.append("b1", emptyHead, buildMessages("b1", emptyHead, "c1", ["first"]));
  const batch = buildMessages("b1", first.head, "c2", ["second"]);
  const outcome = await withFault({ path: transcript, ...fault }, () =>
    logIn(folder.root).append("b1", first.head, batch),
  );
  return { log: logIn(folder.root), first, batch, ...outcome };
}

const texts = async () => (await readAll(logIn(folder.root), "b1")).envelopes.map(getMessageText);

describe.each(["ENOSPC", "EDQUOT", "EIO"])("a sync that fails with %s", (code) => {
  it("for good: it is not known whether the command counted, and that is what is said", async () => {
    const { error } = await appendDuring({ call: "fsyncSync", code });
    expect(error).toMatchObject({ code: "log.sync-failed", retryable: true });
    expect((error as Error).message).toContain("not known whether the command counted");
    expect((error as Error).message).not.toContain("did not happen");
    expect(error).toMatchObject({ hint: expect.stringContaining("pairflow bubble status --id b1") });
  });

  it("for good: the same command repeated counts once", async () => {
    const { log, first, batch } = await appendDuring({ call: "fsyncSync", code });
    expect(await log.append("b1", first.head, batch)).toMatchObject({ ok: true, head: { seq: 2 } });
    expect(await texts()).toEqual(["first", "second"]);
  });

  it("once: the bytes are written anew before the command is acknowledged", async () => {
    const written: number[] = [];
    const { value, hits } = await recordingWrites(written, () =>
      appendDuring({ call: "fsyncSync", code, times: 1 }),
    );
    expect(hits).toBe(1);
    expect(value).toMatchObject({ ok: true, head: { seq: 2 } });
    // Behind the append, a second write over the same place: the sync after it is the one that counts.
    expect(written.filter((at) => at === 0)).toHaveLength(1);
    expect(await texts()).toEqual(["first", "second"]);
  });
});

it("never takes a later sync for proof: a command that finds the line writes its bytes before it relies on them", async () => {
  const { first, batch } = await appendDuring({ call: "fsyncSync", code: "EIO" });
  const written: number[] = [];
  await recordingWrites(written, () => logIn(folder.root).append("b1", first.head, batch));
  expect(written).toContain(0);
});

it("lets no later command build on lines that the disk still does not confirm", async () => {
  await appendDuring({ call: "fsyncSync", code: "EIO" });
  const { head } = await readAll(logIn(folder.root), "b1");
  const batch = buildMessages("b1", head, "c3", ["third"]);
  const fault = { call: "fsyncSync", path: transcript, code: "EIO" } as const;
  const { error } = await withFault(fault, () => logIn(folder.root).append("b1", head, batch));
  expect(error).toMatchObject({ code: "log.in-doubt", message: expect.stringContaining("did not happen") });
  expect(await texts()).toEqual(["first", "second"]);
  const written: number[] = [];
  await recordingWrites(written, () => logIn(folder.root).append("b1", head, batch));
  expect(written).toContain(0);
  expect(await texts()).toEqual(["first", "second", "third"]);
  // Proven, the file is as before; the next command has nothing to prove.
  expect(statSync(transcriptIn(folder.root)).mode & 0o777).toBe(0o600);
});

describe("before a byte is on the record", () => {
  const faults: readonly (Omit<Fault, "path"> & { readonly says: string })[] = [
    { call: "openSync", code: "EMFILE", says: "log.write-failed" },
    { call: "openSync", code: "ENOSPC", says: "log.disk-full" },
    { call: "openSync", code: "EIO", says: "log.write-failed" },
    { call: "writeSync", code: "ENOSPC", says: "log.disk-full" },
    { call: "writeSync", code: "EDQUOT", says: "log.disk-full" },
    { call: "writeSync", code: "EIO", says: "log.write-failed" },
    { call: "writeSync", code: "", short: 40, says: "log.disk-full" },
  ];
  it.each(faults)(
    "$call failing with $code $short did not happen, and happens once when repeated",
    async ({ says, ...fault }) => {
      const { error, hits, log, first, batch } = await appendDuring(fault);
      expect(hits).toBeGreaterThan(0);
      expect(error).toMatchObject({ code: says });
      expect(await texts()).toEqual(["first"]);
      expect(await log.append("b1", first.head, batch)).toMatchObject({ ok: true });
      expect(await texts()).toEqual(["first", "second"]);
    },
  );
});

/** Runs, and notes where in a file every write with a place of its own begins. */
async function recordingWrites<T>(into: number[], run: () => Promise<T>): Promise<T> {
  const original = fs.writeSync;
  fs.writeSync = ((...args: unknown[]) => {
    if (typeof args[4] === "number") into.push(args[4]);
    return (original as (...all: unknown[]) => number)(...args);
  }) as typeof original;
  syncBuiltinESMExports();
  try {
    return await run();
  } finally {
    fs.writeSync = original;
    syncBuiltinESMExports();
  }
}
