// What the pages show of a terminal is what the product prints: every such part of every page is compared by the test that plays it.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findMissing, findShown, listShown, listUnnamed } from "../helpers/shown.ts";

const root = resolve(import.meta.dirname, "../..");
/** The tutorial is compared as one story, in docs-pages.test.ts; the others are made from what they describe. */
const elsewhere = ["docs/tutorial.md", "docs/cli.md", "docs/json.md", "docs/errors.md"];
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith(".md") && !elsewhere.includes(path),
);

const call = /\bexpectShown\(\s*"([^"]+)",\s*(?:"((?:[^"\\]|\\.)+)"|'([^']+)')/g;
const calls = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) => [...readFileSync(join(root, "tests", path), "utf8").matchAll(call)])
  .map(([, page = "", escaped, plain]) => ({
    page,
    first: escaped === undefined ? (plain ?? "") : (JSON.parse(`"${escaped}"`) as string),
  }));

describe("what the pages show of a terminal", () => {
  it.each(pages)("%s is compared, part by part", (page) => {
    const compared = calls
      .filter((one) => one.page === page)
      .map(({ first }) => findShown(page, first).first);
    const open = listShown(page).filter(
      ({ first, notCompared }) => !notCompared && !compared.includes(first),
    );
    expect(open.map(({ first }) => first)).toEqual([]);
    expect(listUnnamed(page), "a fence of the language console is compared").toEqual([]);
  });

  it("is left alone in few places", () => {
    const left = pages.flatMap(listShown).filter(({ notCompared }) => notCompared);
    expect(left.length).toBeLessThan(4);
    expect(calls.length).toBeGreaterThan(40);
  });
});

describe("the comparison", () => {
  const shown = [
    "total is at work, for 3 s",
    "  tree     0924153aab   round 2",
    "Next: pairflow … --id total",
  ];
  const printed = shown
    .join("\nanother line\n")
    .replace("3 s", "1 min 20 s")
    .replace("0924153aab   ", "ba463e15f6   ")
    .replace("…", "bubble approve");

  it("finds what was printed, whatever the clock and the ids, with lines between", () => {
    expect(findMissing(shown, printed)).toEqual([]);
    expect(findMissing([shown[0] ?? "", "…", shown[2] ?? ""], printed)).toEqual([]);
  });

  it("finds a changed word, a line that is missing, a wrong order, a line that goes on, and a page that shows nothing", () => {
    expect(findMissing(shown, printed.replace("round 2", "round 3"))).toEqual([shown[1]]);
    expect(findMissing(shown, printed.split("\n").slice(2).join("\n"))).toEqual([shown[0]]);
    expect(findMissing([...shown].reverse(), printed)).toEqual([shown[1]]);
    expect(findMissing(shown, printed.replace("at work", "at work again"))).toEqual([shown[0]]);
    expect(findMissing(shown, `${printed} and more`)).toEqual([shown[2]]);
    expect(findMissing([], printed)).toHaveLength(1);
  });

  it("keeps the limits that are said with their number", () => {
    expect(findMissing(["test (at most 60 s)"], "test (at most 90 s)")).toHaveLength(1);
  });
});
