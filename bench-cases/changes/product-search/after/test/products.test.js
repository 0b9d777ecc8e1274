import assert from "node:assert/strict";
import { test } from "node:test";
import { productById, searchProducts } from "../src/products.js";

test("a product is asked for by its number", () => {
  assert.deepEqual(productById(7).values, [7]);
});

test("a search looks at names", () => {
  assert.match(searchProducts({ text: "lamp" }).sql, /WHERE name LIKE/);
});

test("a search is sorted by name, or as asked for", () => {
  assert.match(searchProducts({ text: "lamp" }).sql, /ORDER BY name/);
  assert.match(searchProducts({ text: "lamp", sort: "price" }).sql, /ORDER BY price/);
});

test("a search has twenty results at most, or as many as asked for", () => {
  assert.equal(searchProducts({ text: "lamp" }).values.at(-1), 20);
  assert.equal(searchProducts({ text: "lamp", limit: 5 }).values.at(-1), 5);
});
