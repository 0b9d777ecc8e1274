// One place makes bubbles, and the shell decides nothing. rooms.json keeps the modules that do it to their folders; what
// imports cannot show is read from the sources here.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const src = resolve(import.meta.dirname, "../../src");

const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, text: readFileSync(join(src, path), "utf8") }));

const found = (pattern: RegExp, rooms: RegExp) =>
  sources.filter(({ path, text }) => rooms.test(path) && pattern.test(text)).map(({ path }) => path);

it("the command that creates a bubble is given in one place", () => {
  expect(found(/type: "create"/, /^(app|cli|engine|mcp)\//)).toEqual(["app/making/pin.ts"]);
});

it("settings of bubbles get their agents in one place", () => {
  expect(found(/\bbindAgents\(/, /./).sort()).toEqual([
    "app/making/agents.ts",
    "app/making/make.ts",
    "app/making/settle.ts",
  ]);
});

it("neither a command nor a tool puts anything to the referee by itself", () => {
  expect(found(/import \{[^}]*\bhandle\b[^}]*\}/, /^(cli|mcp)\//)).toEqual([]);
});

it("agents' claims have one way to the referee", () => {
  expect(found(/\bputClaim\(/, /./).sort()).toEqual([
    "app/caller/claims.ts",
    "engine/facts/claim.ts",
    "engine/turns/conclude.ts",
    "engine/turns/conversation.ts",
  ]);
  // Hooks tell of signs of life; they claim nothing.
  expect(found(/import \{[^}]*\bhandle\b[^}]*\}/, /^app\/caller\//)).toEqual(["app/caller/hooks.ts"]);
});
