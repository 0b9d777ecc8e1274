import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache } from "../src/cache.js";

test("a deleted value is gone", () => {
  const cache = new Cache();
  cache.set("a", 1);
  cache.delete("a");
  assert.equal(cache.get("a"), undefined);
});

test("a loaded value is kept", async () => {
  const cache = new Cache();
  let loads = 0;
  const load = async () => ++loads;
  assert.equal(await cache.getOrLoad("a", load), 1);
  assert.equal(await cache.getOrLoad("a", load), 1);
});

test("a load that failed is tried again", async () => {
  const cache = new Cache();
  await assert.rejects(cache.getOrLoad("a", () => Promise.reject(new Error("down"))));
  assert.equal(await cache.getOrLoad("a", async () => 2), 2);
});
