// The lockfile names packages and hashes, never the server they came from, so that it holds behind any registry.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => JSON.parse(readFileSync(resolve(root, file), "utf8"));
const locked = Object.entries<Entry>(read("package-lock.json").packages).filter(([path]) => path !== "");

it("locks every package by version and hash, and no server", () => {
  const wrong = locked.filter(([, entry]) => !entry.version || !entry.integrity || entry.resolved);
  expect(wrong).toEqual([]);
});

it("pins every direct dependency exactly", () => {
  const { dependencies, devDependencies } = read("package.json");
  const ranges = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
  );
  expect(ranges).toEqual([]);
});

it("names the packages of every platform, so that npm ci works on each", () => {
  const places = new Set(locked.map(([path]) => path));
  const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersAbove(path).some((folder) => places.has(`${folder}node_modules/${name}`)))
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
});

/** Where a package looks for what it needs: in its own folder, then in each one around it. */
function foldersAbove(path: string): string[] {
  const at = path.lastIndexOf("node_modules/");
  return at === -1 ? [""] : [`${path}/`, ...foldersAbove(path.slice(0, at).replace(/\/$/, ""))];
}
