// The screen that stays: which row is chosen, and how it is pointed at.
import { expect, it } from "vitest";
import { markChoice, moveChoice, scrollToChoice } from "../../src/cli/screens/live.ts";

it("moves by letters and arrows, and stays inside the list", () => {
  expect(moveChoice(0, "j", 2)).toBe(1);
  expect(moveChoice(1, "\u001b[B", 2)).toBe(1);
  expect(moveChoice(1, "k", 2)).toBe(0);
  expect(moveChoice(0, "\u001b[A", 2)).toBe(0);
  expect(moveChoice(3, "", 0)).toBe(0);
});

it("points at the first row of the chosen bubble, whatever its colour", () => {
  const text = "needs you\n  \u001b[1mfix\u001b[0m   approve\n  fix-it   approve\n  fix   again";
  expect(markChoice(text, "fix").map((line) => line.slice(0, 2))).toEqual(["  ", "› ", "  ", "  "]);
  expect(markChoice(text, undefined).every((line) => line.startsWith("  "))).toBe(true);
});

it("scrolls so that the chosen row is on the screen", () => {
  const lines = Array.from({ length: 30 }, (_, i) => (i === 25 ? "› row 25" : `  row ${i}`));
  expect(scrollToChoice(lines, 10)).toHaveLength(10);
  expect(scrollToChoice(lines, 10)).toContain("› row 25");
  expect(scrollToChoice(lines, 40)).toEqual(lines);
  expect(scrollToChoice(["  one", "  two"], 10)).toEqual(["  one", "  two"]);
});
