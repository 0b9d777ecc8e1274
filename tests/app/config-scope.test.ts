// A scope narrowed by a plan has several lists of what is in: bubble.toml keeps them all, and refuses what is no list of lists.
import { expect, it } from "vitest";
import { parseBubbleToml, renderBubbleToml } from "../../src/app/config/bubble-file.ts";
import { configOf } from "../core/pair.ts";

const scope = {
  in: ["src/**"],
  out: [],
  do_not_touch: [".env"],
  also_in: [["**/*.ts", "docs/**"], ["a/**"]],
};

it("is written and read as it was", () => {
  const text = renderBubbleToml(configOf({ scope }));
  expect(parseBubbleToml(text, "bubble.toml").scope).toEqual(scope);
});

it("is refused where a list of globs stands for a list of lists", () => {
  const text = renderBubbleToml(configOf({ scope })).replace(/also_in = .*/, 'also_in = ["src/**"]');
  expect(() => parseBubbleToml(text, "bubble.toml")).toThrow(
    expect.objectContaining({ message: expect.stringContaining("scope.also_in") }),
  );
});
