// Times in workflows.
import { expect, it } from "vitest";
import { parseDuration } from "../../../src/core/workflow/source/duration.ts";

it.each([
  ["30s", 30],
  ["5m", 300],
  ["1h", 3600],
  ["1h30m", 5400],
  ["500ms", 0.5],
  ["1.5h", 5400],
  ["2d", 172_800],
])("%s are %d seconds", (text, seconds) => {
  expect(parseDuration(text)).toBeCloseTo(seconds);
});

it.each(["", "5", "m", "5 m", "-5m", "0s", "1h-3m", "five minutes", "5mm"])("%j is no time", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
