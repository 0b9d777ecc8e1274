import assert from "node:assert/strict";
import { test } from "node:test";
import { revision } from "../src/history.js";

test("the revision has no line end", async () => {
  assert.equal(await revision(async () => "abc123\n"), "abc123");
});
