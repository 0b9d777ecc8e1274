import assert from "node:assert/strict";
import { test } from "node:test";
import { productById } from "../src/products.js";

test("a product is asked for by its number", () => {
  assert.deepEqual(productById(7).values, [7]);
});
