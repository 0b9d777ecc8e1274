import assert from "node:assert/strict";
import { test } from "node:test";
import { invite, redeem } from "../src/invites.js";

const guest = { email: "ida@example.com", now: 500 };

function invited() {
  const invites = new Map();
  invite(invites, { code: "x1", email: "ida@example.com", expires: 1000 });
  return invites;
}

test("a new invitation is unused", () => {
  assert.equal(invited().get("x1").used, false);
});

test("an invitation lets its guest in", () => {
  assert.equal(redeem(invited(), "x1", guest), "ida@example.com");
});

test("an invitation is good for one time", () => {
  const invites = invited();
  redeem(invites, "x1", guest);
  assert.throws(() => redeem(invites, "x1", guest), /used before/);
});

test("an unknown code lets nobody in", () => {
  assert.throws(() => redeem(invited(), "x2", guest), /no such/);
});
