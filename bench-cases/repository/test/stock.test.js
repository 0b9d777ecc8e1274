import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStore } from "../src/stock.js";

test("an unknown article has no pieces", async () => {
  assert.equal(await memoryStore({}).read("lamp"), 0);
});
