// A sample of the long campaign in tests/soak: each reader with a few thousand inputs, the same ones in every run.
import { expect, it } from "vitest";
import { fuzz } from "./fuzz-run.ts";
import { targets } from "./fuzz-targets.ts";

const inputs = 20_000;

it.each(targets.map(([target, share]) => [target.name, target, share] as const))(
  "%s: whatever is written, it is read or refused, and soon",
  (_name, target, share) => {
    const { problems } = fuzz(target, Math.max(1000, inputs * share));
    expect(problems).toEqual([]);
  },
);
