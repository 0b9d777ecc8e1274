// docs/how-to-add.md is done step by step in a scratch copy of this repository. The compiler must ask for the places that the page
// says it asks for, and what was added must work: types, rooms, format, tests, and the command that a user types.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyStep, copyRepository, runIn } from "./scratch-copy.ts";
import { readSteps, type Step } from "./steps.ts";

const root = resolve(import.meta.dirname, "../..");
const steps = readSteps(readFileSync(join(root, "docs", "how-to-add.md"), "utf8"));
const stepsOf = (recipe: string) => steps.filter((step) => step.recipe === recipe);
const pathOf = (step: Step) => (step.kind === "shell" ? "" : step.path);

/** The two first steps of the envelope recipe, which the compiler then asks about. */
const asking = ["src/core/model/record/payloads/decisions.ts", "src/core/model/command.ts"];
const asked = [
  "src/core/bubble/decide.ts",
  "src/core/bubble/evolve.ts",
  "src/core/permission/authority.ts",
  "src/core/views/history/timeline.ts",
];

const ownTests = [
  ...steps.map(pathOf).filter((path) => path.endsWith(".test.ts")),
  "tests/adapters/agent-echo-json.test.ts",
];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "pairflow-recipes-"));
  copyRepository(root, copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function checkTypes(include: readonly string[]) {
  const project = { extends: "./tsconfig.json", include };
  writeFileSync(join(copy, "tsconfig.recipes.json"), JSON.stringify(project));
  return run("node_modules/typescript/bin/tsc", "-p", "tsconfig.recipes.json");
}
const run = (...args: string[]) => runIn(copy, process.execPath, args);

it("every recipe of the page has steps", () => {
  expect([...new Set(steps.map(({ recipe }) => recipe))]).toEqual([
    "A command",
    "An envelope type",
    "An agent adapter",
    "A gate preset",
    "A workflow",
    "A port's adapter",
  ]);
});

it("the compiler asks for every place of a new envelope type and its command", { timeout: 300_000 }, () => {
  for (const step of stepsOf("An envelope type")) if (asking.includes(pathOf(step))) applyStep(copy, step);
  const { output } = checkTypes(["src/core"]);
  const files = [...output.matchAll(/^(\S+?)\(\d+,\d+\): error TS/gm)].map(([, file]) => file);
  expect([...new Set(files)].sort()).toEqual(asked);
});

it("with all recipes done, types and rooms are right", { timeout: 300_000 }, () => {
  for (const step of steps) {
    const isDone = step.recipe === "An envelope type" && asking.includes(pathOf(step));
    if (!isDone) applyStep(copy, step);
  }
  expect(checkTypes(["src", ...ownTests, "tests/readers/corpus.ts"])).toEqual({ status: 0, output: "" });
  expect(run("scripts/rooms.mjs")).toMatchObject({ status: 0 });
});

it("the tests of the recipes pass, and each field of the new line has a reader", () => {
  const readers = "tests/readers/payloads.test.ts";
  expect(run("node_modules/vitest/vitest.mjs", "run", ...ownTests, readers)).toMatchObject({ status: 0 });
});

it("a user meets the command, the adapter and the workflow", () => {
  expect(run("bin/pairflow", "help", "rounds").output).toContain("Say how many rounds a bubble has used");
  expect(run("bin/pairflow", "workflow", "list").output).toContain("second-opinion");
  expect(run("bin/pairflow", "workflow", "show", "second-opinion").status).toBe(0);
  expect(run("scripts/docs.mjs").status).toBe(0);
  expect(readFileSync(join(copy, "docs", "agents.md"), "utf8")).toContain("| `echo-json` |");
});
