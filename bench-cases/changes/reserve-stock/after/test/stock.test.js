import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStore, reservations } from "../src/stock.js";

test("an unknown article has no pieces", async () => {
  assert.equal(await memoryStore({}).read("lamp"), 0);
});

test("a reservation takes pieces out of stock", async () => {
  const store = memoryStore({ lamp: 3 });
  assert.equal(await reservations(store).reserve("lamp", 2), true);
  assert.equal(await store.read("lamp"), 1);
});

test("more than there is cannot be reserved", async () => {
  const store = memoryStore({ lamp: 1 });
  assert.equal(await reservations(store).reserve("lamp", 2), false);
  assert.equal(await store.read("lamp"), 1);
});

test("released pieces are back in stock", async () => {
  const store = memoryStore({ lamp: 1 });
  await reservations(store).release("lamp", 2);
  assert.equal(await store.read("lamp"), 3);
});
