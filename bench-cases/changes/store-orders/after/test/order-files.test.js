import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadOrder, orderPath, saveOrder } from "../src/order-files.js";

async function emptyFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), "orders-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test("an order has a file of its own", () => {
  assert.equal(orderPath("orders", 7), "orders/order-7.json");
});

test("only numbers are ids", () => {
  assert.throws(() => orderPath("orders", "../7"), /no order id/);
});

test("an order comes back as it was stored", async (t) => {
  const folder = await emptyFolder(t);
  await saveOrder(folder, { id: 7, pieces: 2 });
  assert.deepEqual(await loadOrder(folder, 7), { id: 7, pieces: 2 });
});

test("an order that was never stored is undefined", async (t) => {
  const folder = await emptyFolder(t);
  assert.equal(await loadOrder(folder, 8), undefined);
});
