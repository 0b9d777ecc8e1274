// What one can search for and scan: a name of a function is a verb and is exported by one file, a folder has at most a dozen files.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { verbs } from "./verbs.ts";

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
const oneIdea = ["run", "look"];

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

/** The test language reads given, when, then. */
const ofTheTestLanguage = ["given"];

/** Functions that a file declares by name at its top. */
function listFunctions(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      initializer && ts.isIdentifier(name) && ts.isArrowFunction(initializer) ? [name.text] : [],
    );
  });
}

it("the name of a function begins with a verb, and is more than a noun and its owner", () => {
  const names = all
    .flatMap(({ files }) => files)
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => listFunctions(path).map((name) => ({ name, path: relative(root, path) })));
  // Many verbs are nouns too: `hashOf` is one, `hashText` is not.
  const wrong = names.filter(
    ({ name }) => !verbs.has(name.split(/(?=[A-Z])/)[0] ?? "") || /^[a-z]+Of$/.test(name),
  );
  expect(names.length).toBeGreaterThan(4000);
  expect(wrong.filter(({ name }) => !ofTheTestLanguage.includes(name))).toEqual([]);
});

it("no folder has more than a dozen files", () => {
  const full = all.filter(({ files }) => files.length > most);
  expect(full.map(({ path, files }) => `${path}: ${files.length}`)).toEqual([]);
});
