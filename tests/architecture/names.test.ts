// What one can search for and scan: a name of a function is exported by one file, and a folder has at most a dozen files.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const most = 12;

interface Folder {
  readonly path: string;
  readonly files: readonly string[];
}

function folders(path: string): Folder[] {
  const entries = readdirSync(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(path, name));
  const below = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => folders(join(path, name)));
  return [{ path: relative(root, path), files }, ...below];
}

const all = folders(join(root, "src"));

/** Every bundle has one front, and each is called alike. */
const oneIdea = ["run"];

it("no two files export a function of one name", () => {
  const places = new Map<string, string[]>();
  const declared =
    /^export (?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?(?:<[^>]*>)?\([^)]*\)[^=]*=>)/gm;
  for (const file of all.flatMap(({ files }) => files))
    for (const [, name = "", arrow = ""] of readFileSync(file, "utf8").matchAll(declared))
      places.set(name || arrow, [...(places.get(name || arrow) ?? []), relative(root, file)]);
  const twice = [...places].filter(([name, files]) => files.length > 1 && !oneIdea.includes(name));
  expect(places.size).toBeGreaterThan(1000);
  expect(Object.fromEntries(twice)).toEqual({});
});

it("no folder has more than a dozen files", () => {
  const full = all.filter(({ files }) => files.length > most);
  expect(full.map(({ path, files }) => `${path}: ${files.length}`)).toEqual([]);
});
