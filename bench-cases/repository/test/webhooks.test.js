import assert from "node:assert/strict";
import { test } from "node:test";
import { signature } from "../src/webhooks.js";

test("another secret gives another signature", () => {
  assert.notEqual(signature("body", "one"), signature("body", "two"));
});
