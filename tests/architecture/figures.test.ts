// The figures of docs/architecture.md are those of the code as it is, nearly: `npm run measure` writes them. What is cheap to count is
// counted here; a page that is further off than this is stale.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const mostOff = 0.05;

const page = readFileSync(join(root, "docs", "architecture.md"), "utf8");
const table = page.split("<!-- figures:")[1]?.split("<!-- /figures -->")[0] ?? "";

/** The numbers of a row's last column. */
function readRow(name: string): number[] {
  const row = table.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
  const last = row.split(" | ").at(-1) ?? "";
  return [...last.matchAll(/\d[\d,.]*/g)].map(([number]) => Number(number.replaceAll(",", "")));
}

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join(root, "src", path), "utf8").split("\n"));

const isNear = (written: number, counted: number) => Math.abs(written - counted) <= counted * mostOff;

it("the page tells how much code there is", () => {
  const [files = 0, code = 0] = readRow("files; lines of code");
  const [comments = 0] = readRow("lines of comments for a line of code");
  const counted = sources.flat().filter((line) => line.trim()).length;
  expect({ files, isNear: isNear(files, sources.length) }).toEqual({ files, isNear: true });
  expect({ code, isNear: isNear(code * (1 + comments), counted) }).toEqual({ code, isNear: true });
});

it("the page tells how many files are long", () => {
  const long = sources.filter((lines) => lines.length - 1 > 300);
  expect(readRow("files of more than 300 lines")).toEqual([long.length]);
});
