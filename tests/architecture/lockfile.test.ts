// The lockfile names packages and hashes, never the server they came from, so that it holds behind any registry.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
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
