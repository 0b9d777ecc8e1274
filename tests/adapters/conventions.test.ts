// The file store of conventions against its contract, and against processes that count at the same moment and die.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFileConventions } from "../../src/adapters/conventions/file.ts";
import { Failure } from "../../src/ports/failure.ts";
import { buildConventionsContract, type ConventionsRig } from "../../src/testing/contracts/conventions.ts";
import type { Orders } from "./conventions-worker.ts";
import { locksIn, scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

const learnedIn = (root: string) => join(root, ".pairflow", "learned.ndjson");
const storeIn = (root: string, crashPoint = (_point: string) => {}) =>
  createFileConventions({ root, locks: locksIn(root, 5_000), crashPoint });

async function inFiles(): Promise<ConventionsRig> {
  const { root, remove } = scratch();
  let writes = 0;
  const counted = () =>
    storeIn(root, () => {
      writes += 1;
    });
  return {
    conventions: counted(),
    again: counted,
    dying: () =>
      storeIn(root, () => {
        throw new Error("killed");
      }),
    damage() {
      appendFileSync(learnedIn(root), '{"number":');
      return () => readFileSync(learnedIn(root), "utf8");
    },
    writes: () => writes,
    close: async () => remove(),
  };
}

runContract("conventions in files", buildConventionsContract(inFiles));

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/conventions.ts", import.meta.url), "utf8");
  const spoken = new Set(buildConventionsContract(inFiles).map((one) => one.promise));
  const written = [...port.matchAll(/^ \* (N\d .*)$/gm)].map((match) => match[1] ?? "");
  expect(written).toHaveLength(4);
  for (const promise of written) expect([...spoken]).toContain(promise);
});

describe("as files", () => {
  let folder: ReturnType<typeof scratch>;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => folder.remove());

  test("six processes count thirty bubbles each, one is killed in the middle: nothing is lost or left behind", async () => {
    const outfile = join(folder.root, "worker.cjs");
    const entry = resolve(import.meta.dirname, "conventions-worker.ts");
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      logLevel: "warning",
    });
    const startAt = Date.now() + 500;
    const names = ["a", "b", "c", "d", "e", "killed"];
    const children = names.map((name) => {
      const dieAfter = name === "killed" ? 5 : 0;
      const orders: Orders = { root: folder.root, name, bubbles: 30, startAt, dieAfter };
      return spawn(process.execPath, [outfile, JSON.stringify(orders)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
    });
    const codes = await Promise.all(children.map(async (child) => (await once(child, "close"))[0]));
    expect(codes).toEqual([0, 0, 0, 0, 0, null]);
    const { learned } = await storeIn(folder.root).read();
    const of = (name: string) => learned.counted.filter((bubble) => bubble.startsWith(name)).length;
    expect(names.map(of)).toEqual([30, 30, 30, 30, 30, 5]);
    expect(readdirSync(join(folder.root, ".pairflow")).sort()).toEqual(["learned.ndjson", "locks"]);
  });

  test("looking makes no file, and a change of nothing makes none either", async () => {
    const store = storeIn(folder.root);
    await store.read();
    await store.change((kept) => ({ kept, result: undefined }));
    expect(existsSync(learnedIn(folder.root))).toBe(false);
  });

  test("a link is not followed", async () => {
    await storeIn(folder.root).change((kept) => ({ kept: { ...kept, file: "x\n" }, result: undefined }));
    symlinkSync("/etc/hostname", learnedIn(folder.root));
    await expect(storeIn(folder.root).read()).rejects.toMatchObject({ code: "conventions.unreadable" });
  });

  test("who finds no place in the row is told to come again", async () => {
    const store = createFileConventions({ root: folder.root, locks: { take: async () => undefined } });
    const change = store.change((kept) => ({ kept, result: undefined }));
    await expect(change).rejects.toSatisfy((error) => error instanceof Failure && error.retryable);
    await expect(change).rejects.toMatchObject({ code: "conventions.busy" });
  });
});
