import assert from "node:assert/strict";
import { test } from "node:test";
import { pageCount, pageLinks, pageOf } from "../src/paging.js";

test("the second page begins behind the first", () => {
  assert.deepEqual(pageOf(["a", "b", "c", "d", "e"], 2, 2), ["c", "d"]);
});

test("a list that does not fill its last page still has it", () => {
  assert.equal(pageCount(10, 3), 4);
  assert.equal(pageCount(0, 3), 1);
});

test("links begin two pages before the page itself", () => {
  assert.deepEqual(pageLinks(5, 100, 10).slice(0, 3), [3, 4, 5]);
});

test("there is no link before the first page", () => {
  assert.equal(pageLinks(1, 100, 10)[0], 1);
});
