import assert from "node:assert/strict";
import { test } from "node:test";
import { freePieces, linePrice, subtotal } from "../src/cart.js";

test("the subtotal adds every line", () => {
  assert.equal(
    subtotal([
      { price: 250, quantity: 2 },
      { price: 100, quantity: 3 },
    ]),
    800,
  );
});

test("few pieces have no discount", () => {
  assert.equal(linePrice({ price: 100, quantity: 3 }), 300);
});

test("many pieces have a discount, and very many a greater one", () => {
  assert.equal(linePrice({ price: 100, quantity: 20 }), 1900);
  assert.equal(linePrice({ price: 100, quantity: 60 }), 5400);
});

test("every third piece is free", () => {
  assert.equal(freePieces(1), 0);
  assert.equal(freePieces(3), 1);
  assert.equal(freePieces(6), 2);
});
