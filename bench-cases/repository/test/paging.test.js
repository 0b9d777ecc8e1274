import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "../src/paging.js";

test("the second page begins behind the first", () => {
  assert.deepEqual(pageOf(["a", "b", "c", "d", "e"], 2, 2), ["c", "d"]);
});
