// Pages that are tables of claims name the test that attacks each: a claim whose test is gone is not a claim any more.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The rows of the tables whose head is "claim | attacked by". */
function claims(page: string): { claim: string; tests: string[] }[] {
  const lines = readFileSync(join(root, "docs", page), "utf8").split("\n");
  const rows: { claim: string; tests: string[] }[] = [];
  let isInside = false;
  for (const line of lines) {
    if (line === "| claim | attacked by |") isInside = true;
    else if (!line.startsWith("|")) isInside = false;
    else if (isInside && !line.startsWith("|---")) {
      const [, claim = "", by = ""] = line.split(" | ").length === 2 ? ["", ...line.split(" | ")] : [];
      rows.push({ claim, tests: [...by.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name]) => name ?? "") });
    }
  }
  return rows;
}

const pages = ["faults.md", "record.md", "security.md"];

describe.each(pages)("docs/%s", (page) => {
  const rows = claims(page);

  it("is a table of claims", () => {
    expect(rows.length).toBeGreaterThan(3);
  });

  it("names for every claim a test that exists", () => {
    const wrong = rows.flatMap(({ claim, tests }) => {
      if (tests.length === 0) return [`no test: ${claim}`];
      return tests.filter((name) => !existsSync(join(root, "tests", name)));
    });
    expect(wrong).toEqual([]);
  });
});

it("every attack is named by a claim", () => {
  const named = new Set(pages.flatMap((page) => claims(page).flatMap(({ tests }) => tests)));
  const attacks = readdirSync(join(root, "tests", "attacks")).filter((name) => name.endsWith(".test.ts"));
  expect(attacks.map((name) => `attacks/${name}`).filter((name) => !named.has(name))).toEqual([]);
});

it("every test of ours that a page names outside of its tables exists", () => {
  const folders = readdirSync(join(root, "tests"));
  // The recipes name tests that are yet to be written; tests/recipes writes them in a copy.
  const texts = readdirSync(join(root, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "how-to-add.md",
  );
  const named = texts.flatMap((name) => {
    const text = readFileSync(join(root, "docs", name), "utf8");
    return [...text.matchAll(/([\w-]+)\/[\w./-]+\.test\.ts/g)].map(([path, folder = ""]) => ({
      path,
      folder,
    }));
  });
  const ours = named
    .map(({ path, folder }) => (folder === "tests" ? path.slice("tests/".length) : path))
    .filter((path) => folders.includes(path.split("/")[0] ?? ""));
  expect(ours.length).toBeGreaterThan(50);
  expect(ours.filter((path) => !existsSync(join(root, "tests", path)))).toEqual([]);
});
