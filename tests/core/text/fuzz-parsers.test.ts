// A sample of the long campaign in tests/soak: each reader with hundreds to thousands of inputs, the same ones in every
// run.
import { expect, it } from "vitest";
import { plans } from "../fuzz-plans.ts";
import { fuzz } from "../fuzz-run.ts";
import { files, words } from "../fuzz-targets.ts";

const inputs = 5_000;
const atLeast = 300;

it.each([...words, ...files, ...plans].map(([target, share]) => [target.name, target, share] as const))(
  "%s: whatever is written, it is read or refused, and soon",
  (_name, target, share) => {
    const { problems } = fuzz(target, Math.max(atLeast, inputs * share));
    expect(problems).toEqual([]);
  },
);
