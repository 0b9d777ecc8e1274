// A line that names an artifact rests on it. If the file is not there, or was made writable since, the line is not written.
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRecordWorld } from "../../src/app/record/world.ts";
import type { Command } from "../../src/core/model/command.ts";
import { handle } from "../../src/engine/handle/command.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

const id = "fix-cart";
let shop: Shop;
beforeEach(async () => {
  shop = openShop();
  await (await shop.bubble(id)).starts();
});
afterEach(() => shop.close());

const turnStarted = (prompt: string): Command => ({
  type: "turn-started",
  actor: { kind: "driver", id: "d1" },
  ...{ turn: "t1", attempt: 1, capability: "cap", session: "s", fresh: true, tree: "t0" },
  ...{ prompt, output: "/out/t1.log", seat: "process", sandboxed: true },
});

const lines = () => readFileSync(shop.file(id, "transcript.ndjson"), "utf8");

it.each<[string, (path: string) => void]>([
  ["was deleted", (path) => rmSync(path)],
  ["was made writable", (path) => chmodSync(path, 0o600)],
])("when the file %s, the command did not happen", async (_, change) => {
  const { name } = await shop.world.records.put(id, "prompts/t1.1-codex.md", "Do it.\n");
  change(shop.world.records.path(id, name));
  const before = lines();
  // Another process than the one that put it: it knows the file by its name alone.
  const world = { ...createRecordWorld(shop.repo), clock: shop.world.clock };
  await expect(handle(world, id, turnStarted(name))).rejects.toMatchObject({ code: "artifact.missing" });
  expect(lines()).toEqual(before);
  expect(shop.run("verify", "--id", id).code).toBe(0);
});

it("and with it there, the line has its hash", async () => {
  const { name, sha256 } = await shop.world.records.put(id, "prompts/t1.1-codex.md", "Do it.\n");
  const { envelopes } = await handle(shop.world, id, turnStarted(name));
  expect(envelopes.at(-1)?.hashes).toEqual({ [`artifact://${name}`]: sha256 });
});
