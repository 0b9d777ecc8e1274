// A word that the names of ten files share is a word of the project: the glossary says what it means, or it is one that every
// programmer knows. The list of the latter is here, so that a new word is noticed when it spreads.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const many = 10;

/** Words of programming and plain verbs that need no entry. */
const plain = new Set(
  `add all and apply as ask at begin build by can check choose commit config copy count create decide default describe drop end entry error
   exists field file find first flag follow for format from get git has head id in is item join keep key kind known last limit line list
   load log look make mark may measure merge message missing more must name named new next no not note number of on one open option order out parse
   part path pattern pick plain problem process put read redo refuse refused remove render replace report request require resolve root row
   rule run save say schema section select send set setting short show size sort source split start started status stop store sum take test
   text time to tool try type unit unknown update usage use value version wait watch with without write wrong`
    .trim()
    .split(/\s+/),
);

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });

const singular = (word: string): string =>
  word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/(?<=..[^siu])s$/, "");

/** `buildStatusView` is build, status and view. */
const wordsOfName = (name: string): string[] =>
  name.split(/(?=[A-Z])|[_\d]+/).map((word) => singular(word.toLowerCase()));

/** The words of the names that a file exports. */
function wordsOfFile(path: string): Set<string> {
  const declared = /^export (?:async )?(?:function\*?|interface|type|class|const) (\w+)/gm;
  const names = [...readFileSync(path, "utf8").matchAll(declared)].map(([, name = ""]) => name);
  return new Set(names.flatMap(wordsOfName).filter((word) => word.length > 1));
}

/** The words of the first column of the glossary's tables. */
function explained(): Set<string> {
  const page = readFileSync(join(root, "docs", "glossary.md"), "utf8");
  const rows = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, words = ""]) => words.toLowerCase());
  return new Set(rows.flatMap((words) => words.split(/[^a-z]+/)).map(singular));
}

describe("the glossary", () => {
  it("explains every word that the exported names of ten files share", () => {
    const files = new Map<string, number>();
    for (const path of sources(join(root, "src")))
      for (const word of wordsOfFile(path)) files.set(word, (files.get(word) ?? 0) + 1);
    const known = explained();
    const shared = [...files].filter(([, count]) => count >= many).map(([word]) => word);
    expect(shared.length).toBeGreaterThan(50);
    expect(shared.filter((word) => !known.has(word) && !plain.has(word)).sort()).toEqual([]);
  });

  it("explains each word once", () => {
    const page = readFileSync(join(root, "docs", "glossary.md"), "utf8");
    const rows = [...page.matchAll(/^\| ([^|]+) \|/gm)]
      .map(([, word = ""]) => word)
      .filter((word) => word !== "word");
    expect(rows.filter((word, i) => rows.indexOf(word) !== i)).toEqual([]);
  });
});
