import assert from "node:assert/strict";
import { test } from "node:test";
import { subtotal } from "../src/cart.js";

test("the subtotal adds every line", () => {
  assert.equal(
    subtotal([
      { price: 250, quantity: 2 },
      { price: 100, quantity: 3 },
    ]),
    800,
  );
});
