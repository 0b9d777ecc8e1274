// CONTRIBUTING.md lists every folder of tests/, and the table of durations names files that exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { durations } from "../longest-first.ts";

const root = resolve(import.meta.dirname, "../..");

it("CONTRIBUTING.md has one line for each folder of tests, in their order", () => {
  const folders = readdirSync(join(root, "tests"), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const listed = [...page.matchAll(/^\| `tests\/([^`]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(folders.map(({ name }) => name).sort());
});

it("every file of the table that orders the run exists", () => {
  expect(Object.keys(durations).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
