// Fifty bubbles on ten machines that are killed, paused, cut off, slow and drained: nothing is lost, nothing counts twice, nothing
// waits for ever. A seed is the same history every time. `npm run soak` runs a thousand, `npm run simulate` any number of any size.
import { beforeAll, describe, expect, test } from "vitest";
import { bundleSimulation } from "./bundle.ts";
import type { simulate } from "./simulate.ts";

let run: typeof simulate;
beforeAll(async () => {
  ({ simulate: run } = await bundleSimulation());
});

const seeds = Array.from({ length: 30 }, (_, index) => index + 1);

describe("fifty bubbles on ten machines", { timeout: 120_000 }, () => {
  const sums = { faults: 0, lost: 0, handoffs: 0 };

  test.each(seeds)("seed %i", async (seed) => {
    const { violations, counts } = await run({ seed, bubbles: 50, hosts: 10 });
    expect(violations).toEqual([]);
    expect(counts.rested).toBe(50);
    sums.faults += counts.faults;
    sums.lost += counts.lost;
    sums.handoffs += counts.handoffs;
  });

  test("something has gone wrong meanwhile", () => {
    expect(sums.faults).toBeGreaterThan(300);
    expect(sums.lost).toBeGreaterThan(300);
    expect(sums.handoffs).toBeGreaterThan(1500);
  });
});

test("the same seed is the same history", { timeout: 120_000 }, async () => {
  const options = { seed: 7, bubbles: 8, hosts: 3 };
  const first = await run(options);
  expect((await run(options)).digest).toBe(first.digest);
  expect((await run({ ...options, seed: 8 })).digest).not.toBe(first.digest);
});
