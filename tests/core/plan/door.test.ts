// Which of the three ways a sentence asks for, and that every page says the same about them.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { doors, proposeDoor } from "../../../src/core/plan/door.ts";

it.each([
  ["Fix the cart total", "bubble"],
  ["Add a test for discounts above 100", "bubble"],
  ["Migrate the shop from callbacks to promises", "auto"],
  ["The cart:\n- discounts\n- tax\n- rounding", "auto"],
  [Array.from({ length: 70 }, (_, i) => `word${i}`).join(" "), "auto"],
  ["Write the requirements for discounts, then build them", "pipeline"],
])("%s", (wish, door) => {
  expect(proposeDoor(wish).door).toBe(door);
});

it("says why", () => {
  expect(proposeDoor("Rewrite the cart").because).toBe('"Rewrite" is seldom one change');
});

it("the README's table says what help says", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  for (const { when, does, asks } of Object.values(doors))
    expect(readme).toContain(`| ${when} | ${does} | ${asks} |`);
});
