// Fifty bubbles on ten machines that are killed, paused, cut off and slow: nothing is lost, nothing counts twice, nothing
// waits for ever. A seed is the same history every time. A sample of what `npm run soak` runs.
import { expect, test } from "vitest";
import { drive } from "../../src/engine/drive/driver.ts";
import { simulate } from "./simulate.ts";

test.each([1])("seed %i of fifty bubbles on ten machines", { timeout: 120_000 }, async (seed) => {
  const { violations, counts } = await simulate({ seed, bubbles: 50, hosts: 10, drive });
  expect(violations).toEqual([]);
  // Something has happened.
  expect(counts).toMatchObject({ rested: 50 });
  expect(counts.faults).toBeGreaterThan(10);
  expect(counts.lost).toBeGreaterThan(5);
});

test("the same seed is the same history", { timeout: 120_000 }, async () => {
  const options = { seed: 7, bubbles: 8, hosts: 3, drive };
  const first = await simulate(options);
  expect((await simulate(options)).digest).toBe(first.digest);
  expect((await simulate({ ...options, seed: 8 })).digest).not.toBe(first.digest);
});

test("machines that share an id hand over trees that nobody made: the simulation sees it", {
  timeout: 120_000,
}, async () => {
  const options = { bubbles: 30, hosts: 6, drive, planted: "one-host-id" } as const;
  const wanted = [/made tree-\S+ and handed over tree-/, /a human is asked about changes that nobody made/];
  const seen = new Set<string>();
  for (let seed = 1; seed <= 8 && !wanted.every((one) => one.test([...seen].join("\n"))); seed += 1)
    for (const violation of (await simulate({ ...options, seed })).violations) seen.add(violation);
  for (const one of wanted) expect([...seen].join("\n")).toMatch(one);
});
