// Records are followed from the moment somebody listens: no look that comes later is needed to hear of a line.
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Changes, openChanges } from "../../src/server/stream/changes.ts";
import { watchRecords } from "../../src/server/stream/watch.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
let changes: Changes;
let end: AbortController;
let told: string[];
const hour = 3_600_000;
const keys = () => told.flatMap((text) => /event: changed\ndata: (.*)/.exec(text)?.[1] ?? []).join(" ");
const watchAll = () =>
  watchRecords({
    repositories: () => [{ name: "shop", path: tool.repo }],
    changes,
    signal: end.signal,
    listMs: hour,
    signsMs: hour,
  });

beforeEach(() => {
  tool = rig();
  changes = openChanges("run");
  end = new AbortController();
  told = [];
});
afterEach(async () => {
  end.abort();
  changes.close();
  await tool.close();
});

it("a line that is written after somebody began to listen is told, without another look", async () => {
  await createScripted(tool, "first", shortest);
  watchAll();
  changes.listen(undefined, (text) => told.push(text));
  await expect.poll(keys).toContain('["all"]');
  told.length = 0;
  await tool.ok("bubble", "stop", "--id", "first", "--reason", "not needed");
  await expect.poll(keys).toContain("bubble/shop/first");
});

it("bubbles that are made while a look is under way are followed after it", async () => {
  await createScripted(tool, "first", shortest);
  watchAll();
  changes.listen(undefined, (text) => told.push(text));
  await Promise.all(["second", "third"].map((id) => createScripted(tool, id, shortest)));
  await expect.poll(keys).toContain("bubble/shop/third");
  await expect.poll(keys).toContain("bubble/shop/second");
  for (const id of ["second", "third"]) {
    told.length = 0;
    await tool.ok("bubble", "stop", "--id", id, "--reason", "not needed");
    await expect.poll(keys).toContain(`bubble/shop/${id}`);
  }
});

it("nothing is looked at while nobody listens", async () => {
  await createScripted(tool, "first", shortest);
  let looks = 0;
  watchRecords({
    repositories: () => {
      looks += 1;
      return [];
    },
    changes,
    signal: end.signal,
    listMs: 5,
    signsMs: hour,
  });
  const leave = changes.listen(undefined, () => {});
  await expect.poll(() => looks).toBeGreaterThan(2);
  leave();
  const before = looks;
  await tool.ok("bubble", "stop", "--id", "first", "--reason", "not needed");
  expect(looks).toBe(before);
});
