// A sample of the long campaign in tests/soak for conditions and references, and conditions that are made to be read.
import { expect, it } from "vitest";
import { parseCondition, printCondition } from "../../../src/core/workflow/condition.ts";
import { conditionBy, conditionTargets, trueByAbsence, unstable } from "../fuzz-condition.ts";
import { chance } from "../fuzz-dice.ts";
import { fuzz } from "../fuzz-run.ts";

it.each(conditionTargets.map(([target]) => [target.name, target] as const))(
  "%s: whatever is written, it is read or refused, and soon",
  (_name, target) => {
    expect(fuzz(target, 4000).problems).toEqual([]);
  },
);

const made = Array.from({ length: 3000 }, (_, seed) => conditionBy(chance(seed), seed % 5));

it("a condition that is written down and read again is the same", () => {
  expect(made.flatMap((condition) => unstable(condition) ?? [])).toEqual([]);
});

it("no condition is true because something is missing", () => {
  const texts = made.map(printCondition).filter((text) => parseCondition(text).ok);
  expect(texts.length).toBeGreaterThan(2500);
  const wrong = texts.flatMap((text, seed) =>
    [1, 2, 3].flatMap((go) => {
      const problem = trueByAbsence(text, chance(seed * 10 + go));
      return problem ? [`${text}: ${problem}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

it("the longest condition takes no longer than its length", () => {
  const long = Array.from({ length: 110 }, () => "not (a.b == 1) or").join(" ");
  const text = `${long} true`;
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(parseCondition(text).ok).toBe(true);
  const before = process.cpuUsage();
  for (let i = 0; i < 200; i++) parseCondition(text);
  const { user } = process.cpuUsage(before);
  expect(user / 1000 / 200).toBeLessThan(20);
});
