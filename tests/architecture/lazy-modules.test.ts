// What the build makes of a bundle: the same values, each module and each schema made when it is first used.
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { makeModulesLazy } from "../../scripts/build/lazy-modules.mjs";

const entry = "src/cli/entry/sample.ts";

const ten = (line: (i: number) => string) => Array.from({ length: 10 }, (_, i) => line(i)).join("\n");
const entries = ten((i) => `  T${i}: object("T${i}", Part),`);

const bundle = `"use strict";
// node_modules/valibot/dist/index.mjs
// @__NO_SIDE_EFFECTS__
function object(name, part) { made.push(name); return { name, part }; }
function __toESM(library) { return library; }
function require_library() { made.push("library"); return { parse: (n) => n + 1 }; }
// src/core/model/part.ts
made.push("part.ts");
var Part = object("Part");
var limit = 3;
// src/core/model/table.ts
made.push("table.ts");
var table = {
${entries}
};
// src/core/model/other.ts
var other = {
${ten((i) => `  U${i}: object("U${i}"),`)}
};
// src/core/model/all.ts
made.push("all.ts");
var all = { ...table, ...other };
// src/core/rules/one.ts
made.push("rule one");
function rule() { return "obeyed"; }
var word = /^one$/;
var sign = new RegExp("^[a-z]", "u");
// src/core/rules/two.ts
made.push("rule two");
var two = () => [word.test("one"), word === word, sign.flags, sign instanceof RegExp];
// src/core/rules/table.ts
var rules = {
  "one-more": rule,
  two,
${ten((i) => `  r${i}: rule,`)}
};
// src/core/ring/one.ts
made.push("one.ts");
function isEven(n) { return n === 0 || isOdd(n - 1); }
var first = isOdd(limit);
// src/core/files/parsed.ts
made.push("parsed.ts");
var import_library = __toESM(require_library(), 1);
var few = 2;
function parse() { return import_library.parse(few); }
// src/core/ring/two.ts
var calls = 0;
function isOdd(n) { calls++; return n !== 0 && isEven(n - 1); }
var Counted = class { constructor(limit) { this.limit = limit; } };
var inside = { Counted };
// ${entry}
result.read = { part: () => Part, shorthand: () => ({ Part, limit }), entry: () => table.T4, keys: () => Object.keys(table), all: () => all, rules: () => rules, few: () => few, parse: () => parse() };
result.ring = () => [isEven(4), first, new Counted(limit).limit, new inside.Counted(limit).limit, ((limit) => limit)(8)];
`;

function run(code: string) {
  const made: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: what a bundle leaves is not typed
  const result: any = {};
  new Function("made", "result", code)(made, result);
  return { made, result };
}

test("nothing of a module happens before it is used, and then once", () => {
  const { made, result } = run(makeModulesLazy(bundle, entry));
  expect(made).toEqual([]);
  expect(result.read.keys()).toHaveLength(10);
  expect(made).toEqual(["table.ts"]);
  expect(result.read.entry()).toBe(result.read.entry());
  expect(result.read.entry().part).toBe(result.read.part());
  expect(made).toEqual(["table.ts", "part.ts", "Part", "T4"]);
});

test("a table that is joined from others builds no entry before it is used", () => {
  const { made, result } = run(makeModulesLazy(bundle, entry));
  expect(Object.keys(result.read.all())).toHaveLength(20);
  expect(made).toEqual(["all.ts", "table.ts"]);
  expect(result.read.all().U3).toBe(result.read.all().U3);
  expect(result.read.all().T4.name).toBe("T4");
  expect(made).toEqual(["all.ts", "table.ts", "U3", "part.ts", "Part", "T4"]);
});

test("a table of what other modules declare runs those modules whose entry is used", () => {
  const { made, result } = run(makeModulesLazy(bundle, entry));
  expect(Object.keys(result.read.rules())).toHaveLength(12);
  expect(made).toEqual([]);
  expect(result.read.rules()["one-more"]()).toBe("obeyed");
  expect(made).toEqual(["rule one"]);
  expect(result.read.rules().two()).toEqual([true, true, "u", true]);
  expect(made).toEqual(["rule one", "rule two"]);
});

test("a library that is a CommonJS module runs when something of it is used, and not with the module that imports it", () => {
  const { made, result } = run(makeModulesLazy(bundle, entry));
  expect(result.read.few()).toBe(2);
  expect(made).toEqual(["parsed.ts"]);
  expect([result.read.parse(), result.read.parse()]).toEqual([3, 3]);
  expect(made).toEqual(["parsed.ts", "library"]);
});

test("a regular expression is made when it is first asked, once", () => {
  const code = makeModulesLazy(bundle, entry);
  expect(code).toMatch(/__kept_word \?\?= \/\^one\$\//);
  expect(code).toMatch(/__kept_sign \?\?= new RegExp/);
});

test("what it gives is what the bundle gave before, also where modules use one another", () => {
  const [before, after] = [run(bundle).result, run(makeModulesLazy(bundle, entry)).result];
  expect(after.read.shorthand()).toEqual(before.read.shorthand());
  expect(after.ring()).toEqual(before.ring());
  expect(after.read.rules().two()).toEqual(before.read.rules().two());
  expect({ ...after.read.all() }).toEqual(before.read.all());
  expect(after.ring()).toEqual([true, true, 3, 3, 8]);
});

test("a variable that changes after others have read it is refused", () => {
  const changed = bundle.replace("result.ring", "result.calls = () => calls;\nresult.ring");
  expect(() => makeModulesLazy(changed, entry)).toThrow(
    "src/core/ring/two.ts: calls is exported and changed later",
  );
});
