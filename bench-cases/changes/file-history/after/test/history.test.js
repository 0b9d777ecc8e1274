import assert from "node:assert/strict";
import { test } from "node:test";
import { historyOf, revision } from "../src/history.js";

test("the revision has no line end", async () => {
  assert.equal(await revision(async () => "abc123\n"), "abc123");
});

test("a history has one title a commit", async () => {
  const asked = [];
  const run = async (program, args) => {
    asked.push([program, ...args].join(" "));
    return "Cheaper lamps\nLamps\n";
  };
  assert.deepEqual(await historyOf("lamps.json", run), ["Cheaper lamps", "Lamps"]);
  assert.match(asked[0], /git .*log .*lamps\.json/);
});

test("a file nobody changed has no history", async () => {
  assert.deepEqual(await historyOf("new.json", async () => ""), []);
});
