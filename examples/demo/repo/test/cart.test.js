import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

test("adds up prices and quantities", () => {
  assert.equal(total([{ price: 250, quantity: 2 }, { price: 100, quantity: 1 }]), 600);
});

test("adds tax", () => {
  assert.equal(total([{ price: 1000, quantity: 1 }], { tax: 19 }), 1190);
});
