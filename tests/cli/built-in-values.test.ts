// The presets and workflows that were parsed when Pairflow was built are what is in the files, and nothing else is.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { findBuiltValue } from "../../src/app/files/from-build.ts";

const root = join(import.meta.dirname, "..", "..");
const texts = ["presets", "workflows"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name): [string, string] => [`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8")]),
);

it.each(texts)("%s has the value that its text has", (_, text) => {
  expect(findBuiltValue(text)).toEqual(parse(text, { merge: true }));
});

it.each(texts)("%s is read itself once it was changed", (_, text) => {
  expect(findBuiltValue(`${text}# changed\n`)).toBeUndefined();
});

it("who changes a value changes it for nobody else", () => {
  const [, text] = texts[0]!;
  const mine = findBuiltValue(text) as Record<string, unknown>;
  mine.name = "changed";
  expect(findBuiltValue(text)).toEqual(parse(text, { merge: true }));
});
