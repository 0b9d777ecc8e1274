// What people see of a gate that runs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readLiveGates } from "../../src/app/record/live-gates.ts";

const folder = mkdtempSync(join(tmpdir(), "pairflow-live-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const world = (note: string | undefined) =>
  ({
    runtime: { noted: async () => note },
    redaction: { redact: (text: string) => text.replaceAll("s3cret", "[redacted]") },
  }) as unknown as Parameters<typeof readLiveGates>[0];

it("shows each running gate with its last line, secrets left out", async () => {
  const output = join(folder, "gate-test.log");
  writeFileSync(output, `${"noise\n".repeat(10_000)}token s3cret is used\n\n`);
  const since = "2026-01-01T00:00:00.000Z";
  const note = JSON.stringify([
    { name: "test", since, output },
    { name: "lint", since, output: join(folder, "not-yet.log"), network: true },
  ]);
  expect(await readLiveGates(world(note), "cart")).toEqual([
    { name: "test", since, last: "token [redacted] is used" },
    { name: "lint (with network)", since, last: "" },
  ]);
});

it("shows nothing where nothing runs", async () => {
  expect(await readLiveGates(world(undefined), "cart")).toEqual([]);
  expect(await readLiveGates(world(""), "cart")).toEqual([]);
});
