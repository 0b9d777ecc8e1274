// A rename is on the disk only when its folder was synced: settings that are written again and a record that is put away
// say nothing before that. The calls are those of the real adapter, on a real disk, in their order.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { createFileRecords } from "../../src/adapters/records/file.ts";

const seen = vi.hoisted(() => ({ calls: [] as string[], paths: new Map<number, string>() }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const openSync = (...args: Parameters<typeof fs.openSync>): number => {
    const fd = fs.openSync(...args);
    seen.paths.set(fd, String(args[0]));
    return fd;
  };
  const fsyncSync = (fd: number): void => {
    seen.calls.push(`sync ${seen.paths.get(fd)}`);
    fs.fsyncSync(fd);
  };
  const renameSync = (from: string, to: string): void => {
    seen.calls.push(`rename ${to}`);
    fs.renameSync(from, to);
  };
  const writeFileSync = (...args: Parameters<typeof fs.writeFileSync>): void => {
    fs.writeFileSync(...args);
    const [path, , options] = args;
    if (typeof options === "object" && options?.flush) seen.calls.push(`sync ${path}`);
  };
  return { ...fs, default: fs, openSync, fsyncSync, renameSync, writeFileSync };
});

const root = mkdtempSync(join(tmpdir(), "pairflow-names-"));
const records = createFileRecords({ root });
const calls = () => seen.calls.map((call) => call.replace(`${root}/`, ""));
const folder = ".pairflow/bubbles";

beforeEach(() => {
  seen.calls.length = 0;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("settings: the bytes, the new name, then the folder that holds it", async () => {
  await records.create("b1");
  for (const title of ["first", "second"]) {
    seen.calls.length = 0;
    await records.writeConfig("b1", `title = "${title}"\n`);
    expect(calls().map((call) => call.replace(/\.tmp-\S+$/, "<temporary>"))).toEqual([
      expect.stringMatching(/^sync .*<temporary>$/),
      `rename ${folder}/b1/bubble.toml`,
      `sync ${folder}/b1`,
    ]);
  }
});

it("a record that is put away: its new place, then both folders", async () => {
  await records.archive("b1");
  expect(calls().slice(-3)).toEqual([
    "rename .pairflow/archive/b1",
    "sync .pairflow/archive",
    "sync .pairflow/bubbles",
  ]);
});
