import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache } from "../src/cache.js";

test("a deleted value is gone", () => {
  const cache = new Cache();
  cache.set("a", 1);
  cache.delete("a");
  assert.equal(cache.get("a"), undefined);
});
