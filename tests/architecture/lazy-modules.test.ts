// What the build makes of a bundle: the same values, each module and each schema made when it is first used.
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { makeModulesLazy } from "../../scripts/build/lazy-modules.mjs";

const entry = "src/cli/entry/sample.ts";

const entries = Array.from({ length: 10 }, (_, i) => `  T${i}: object("T${i}", Part),`).join("\n");

const bundle = `"use strict";
// node_modules/valibot/dist/index.mjs
// @__NO_SIDE_EFFECTS__
function object(name, part) { made.push(name); return { name, part }; }
// src/core/model/part.ts
made.push("part.ts");
var Part = object("Part");
var limit = 3;
// src/core/model/table.ts
made.push("table.ts");
var table = {
${entries}
};
// src/core/ring/one.ts
made.push("one.ts");
function isEven(n) { return n === 0 || isOdd(n - 1); }
var first = isOdd(limit);
// src/core/ring/two.ts
var calls = 0;
function isOdd(n) { calls++; return n !== 0 && isEven(n - 1); }
var Counted = class { constructor(limit) { this.limit = limit; } };
var inside = { Counted };
// ${entry}
result.read = { part: () => Part, shorthand: () => ({ Part, limit }), entry: () => table.T4, keys: () => Object.keys(table) };
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

test("what it gives is what the bundle gave before, also where modules use one another", () => {
  const [before, after] = [run(bundle).result, run(makeModulesLazy(bundle, entry)).result];
  expect(after.read.shorthand()).toEqual(before.read.shorthand());
  expect(after.ring()).toEqual(before.ring());
  expect(after.ring()).toEqual([true, true, 3, 3, 8]);
});

test("a variable that changes after others have read it is refused", () => {
  const changed = bundle.replace("result.ring", "result.calls = () => calls;\nresult.ring");
  expect(() => makeModulesLazy(changed, entry)).toThrow(
    "src/core/ring/two.ts: calls is exported and changed later",
  );
});
