// docs/errors.md has a row for every error code of the sources and of the page, and for nothing else.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { findErrorCodes } from "../helpers/error-codes.ts";

const root = resolve(import.meta.dirname, "../..");
const found = findErrorCodes(root);
const rows = [
  ...readFileSync(resolve(root, "docs/errors.md"), "utf8").matchAll(/^\| `([^`]+)` \| (.*) \|$/gm),
];
const documented = rows.map(([, code = ""]) => code);

/** A code that is put together from parts stands for every row it can become. */
const matches = (pattern: string, code: string) =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[a-z-]+")}$`).test(code);

it("every code has a row", () => {
  const missing = found.filter(({ code }) => !documented.some((row) => matches(code, row)));
  const lines = missing.map(({ code, file }) => `| \`${code}\` | … |   (${file})`);
  expect(lines, `docs/errors.md lacks these rows:\n${lines.join("\n")}\n`).toEqual([]);
});

it("every row has a code", () => {
  const stale = documented.filter((row) => !found.some(({ code }) => matches(code, row)));
  expect(
    stale,
    `docs/errors.md has rows for codes that are nowhere in src and web: ${stale.join(", ")}`,
  ).toEqual([]);
});

it("rows are in order, once each, with a sentence", () => {
  expect(documented).toEqual([...new Set(documented)].sort());
  expect(rows.filter(([, , sentence = ""]) => sentence.trim().length < 10)).toEqual([]);
});
