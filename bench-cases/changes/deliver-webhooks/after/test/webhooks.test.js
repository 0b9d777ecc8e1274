import assert from "node:assert/strict";
import { test } from "node:test";
import { deliver, deliverAll, signature } from "../src/webhooks.js";

test("another secret gives another signature", () => {
  assert.notEqual(signature("body", "one"), signature("body", "two"));
});

test("a delivery is tried again", async () => {
  let tries = 0;
  const post = async () => {
    tries++;
    if (tries < 3) throw new Error("busy");
    return "ok";
  };
  assert.equal(await deliver({ id: 1 }, post), "ok");
});

test("all events are delivered", async () => {
  const seen = [];
  const result = await deliverAll([{ id: 1 }, { id: 2 }], async (event) => seen.push(event.id));
  assert.deepEqual(seen, [1, 2]);
  assert.equal(result.delivered, 2);
});
