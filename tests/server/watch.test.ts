// Records are followed from the moment somebody listens: no look that comes later is needed to hear of a line.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Changes, openChanges } from "../../src/server/stream/changes.ts";
import { watchRecords } from "../../src/server/stream/watch.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { killProcess } from "../helpers/kill.ts";

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

it("a driver that came and went between two looks is told of at the second one", async () => {
  await createScripted(tool, "first", {
    ...shortest,
    implementer: [{ role: "implementer", steps: [{ hang: true }] }],
  });
  watchAll();
  changes.listen(undefined, (text) => told.push(text));
  await expect.poll(keys).toContain('["all"]');
  /** A folder that appears rings the bell. */
  const look = (name: string) => mkdirSync(join(tool.repo, ".pairflow", "bubbles", name));
  const countClaims = () => tool.log("first").filter(({ type }) => type === "DRIVER_CLAIMED").length;
  const driveAndKill = async (command: string) => {
    const claims = countClaims();
    told.length = 0;
    await tool.ok("bubble", command, "--id", "first", "--headless", "--detach");
    await expect.poll(countClaims, { timeout: 20_000 }).toBe(claims + 1);
    await expect.poll(keys).toContain("bubble/shop/first");
    await killProcess((await tool.status("first")).driver.pid ?? 0);
    // Lines that it wrote at last are told first.
    let before: number;
    do {
      before = told.length;
      await sleep(300);
    } while (told.length > before);
    told.length = 0;
  };
  await driveAndKill("start");
  look("one");
  await expect.poll(keys).toContain("bubble/shop/first");
  await driveAndKill("resume");
  look("two");
  await expect.poll(keys).toContain("bubble/shop/first");
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
