// The picture of a bubble's life in docs/explanation.md is the table of transitions.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { transitions } from "../../../src/core/bubble/lifecycle.ts";

it("the page draws every transition but the two ends that all states share", () => {
  const page = readFileSync(new URL("../../../docs/explanation.md", import.meta.url), "utf8");
  const drawn = [...page.matchAll(/^ {2}([A-Z_]+) --> ([A-Z_]+)$/gm)].map(([, from, to]) => `${from} ${to}`);
  const real = Object.entries(transitions).flatMap(([from, all]) =>
    all.filter((to) => to !== "FAILED" && to !== "CANCELLED").map((to) => `${from} ${to}`),
  );
  expect(drawn.sort()).toEqual(real.sort());
});
