import assert from "node:assert/strict";
import { test } from "node:test";
import { orderPath } from "../src/order-files.js";

test("an order has a file of its own", () => {
  assert.equal(orderPath("orders", 7), "orders/order-7.json");
});

test("only numbers are ids", () => {
  assert.throws(() => orderPath("orders", "../7"), /no order id/);
});
