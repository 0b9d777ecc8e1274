// How a command line is split: exactly as Node's own parser splits it, which is too long to load at each start.
import { parseArgs } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTokens, type Token } from "../../src/cli/verb/tokens.ts";

const withValue = ["task", "id", "a"];
const switches = ["json", "s"];

function splitByNode(args: string[]): Token[] {
  const kinds = [...withValue.map((name) => [name, "string"]), ...switches.map((name) => [name, "boolean"])];
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(
      kinds.map(([name, type]) => [name, { type: type as "string" | "boolean", multiple: true }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens.map(({ index: _, ...token }) =>
    Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined)),
  ) as unknown as Token[];
}

const split = (args: readonly string[]) => readTokens(args, (name) => withValue.includes(name));

const word = fc.oneof(
  fc.constantFrom(
    "--",
    "-",
    "",
    "--task",
    "--task=",
    "--id=x=y",
    "--json",
    "--json=1",
    "--nope",
    "--=x",
    "---",
  ),
  fc.constantFrom(
    "-a",
    "-as",
    "-sa",
    "-s",
    "-sx",
    "-x-y",
    "-s-",
    "-x=3",
    "-a=3",
    "fix-cart",
    "--__proto__",
    "--constructor",
  ),
  fc.string({ unit: fc.constantFrom("-", "a", "s", "x", "=", "é"), maxLength: 5 }),
);

test("flags, their values, groups of letters and what follows --", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (args) => {
      expect(split(args)).toEqual(splitByNode([...args]));
    }),
    { numRuns: 2000 },
  );
});

test("a value may begin with a dash, and a word in front of it may be missing", () => {
  expect(split(["--task", "--json", "word", "--id"])).toEqual([
    { kind: "option", name: "task", rawName: "--task", value: "--json", inlineValue: false },
    { kind: "positional", value: "word" },
    { kind: "option", name: "id", rawName: "--id" },
  ]);
});
