// A thousand seeds of fifty bubbles on ten machines: tests/simulation runs the first thirty.
import { beforeAll, expect, test } from "vitest";
import { bundleSimulation } from "../simulation/bundle.ts";
import type { simulate } from "../simulation/simulate.ts";

let run: typeof simulate;
beforeAll(async () => {
  ({ simulate: run } = await bundleSimulation());
});

const perTest = 25;
const starts = Array.from({ length: 1000 / perTest }, (_, index) => index * perTest + 1);

test.each(starts)("twenty-five seeds from %i", { timeout: 600_000 }, async (start) => {
  for (let seed = start; seed < start + perTest; seed += 1) {
    const { violations, counts } = await run({ seed, bubbles: 50, hosts: 10 });
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(counts.rested, `seed ${seed}`).toBe(50);
  }
});
