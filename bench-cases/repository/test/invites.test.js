import assert from "node:assert/strict";
import { test } from "node:test";
import { invite } from "../src/invites.js";

test("a new invitation is unused", () => {
  const invites = new Map();
  invite(invites, { code: "x1", email: "ida@example.com", expires: 1000 });
  assert.equal(invites.get("x1").used, false);
});
