// Whole documents as people write them: five of different make and the example pass all checks, the draft fails all.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkDocument } from "../../../src/core/document/check.ts";
import { checkNames } from "../../../src/core/document/check-names.ts";
import { buildDocumentGates } from "../../../src/core/document/gates.ts";
import { loadWorkflow } from "../../../src/core/workflow/load.ts";
import { configOf, pairDocument } from "../pair.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const folder = ["tests", "fixtures", "documents"];
const whole = readdirSync(join(root, ...folder)).filter((file) => file.endsWith(".md"));

describe("good documents", () => {
  it.each(whole)("%s passes every check", (file) => {
    expect(checkDocument(read(...folder, file)).flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("the example passes every check", () => {
    expect(checkDocument(read("examples", "documents", "cart.md")).map(({ ok }) => ok)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("are at least five", () => expect(whole.length).toBeGreaterThanOrEqual(5));
});

it("the draft beside the example fails every check, on these lines", () => {
  const results = checkDocument(read("examples", "documents", "cart-draft.md"));
  expect(
    Object.fromEntries(results.map(({ name, problems }) => [name, problems.map(({ line }) => line)])),
  ).toEqual({
    completeness: [1, 29],
    ambiguity: [7, 16, 16, 17, 27],
    consistency: [11, 19, 25, 26, 27],
    traceability: [17, 20],
  });
});

describe("the gates of a document", () => {
  it("are its checks, each a command with its name, required, with a minute's time", () => {
    const gates = buildDocumentGates("docs/cart.md");
    expect(gates.map(({ name }) => name)).toEqual([
      "completeness",
      "ambiguity",
      "consistency",
      "traceability",
    ]);
    expect(gates.map(({ name }) => name)).toEqual(checkNames);
    expect(gates[1]).toEqual({
      name: "ambiguity",
      command: "pairflow document check docs/cart.md --check ambiguity",
      required: true,
      timeout_seconds: 60,
    });
  });

  it.each([
    ["docs/my cart.md", "'docs/my cart.md'"],
    ["docs/it's.md", "'docs/it'\\''s.md'"],
    ["$(x).md", "'$(x).md'"],
    ["-cart.md", "./-cart.md"],
    ["docs/Ä.md", "'docs/Ä.md'"],
  ])("name %s as one word of a shell", (path, word) => {
    expect(buildDocumentGates(path)[0]?.command).toBe(`pairflow document check ${word} --check completeness`);
  });
});

describe("document.yaml", () => {
  interface Step {
    name: string;
    duties?: string[];
  }
  const document = parse(read("workflows", "document.yaml")) as { id: string; loop: unknown; steps: Step[] };
  const pair = pairDocument as { loop: unknown; steps: Step[] };

  it("loads, with two clean passes by the usual roles", () => {
    const loaded = loadWorkflow(document, configOf({ max_rounds: 5 }));
    expect(loaded).toMatchObject({
      ok: true,
      program: {
        id: "document",
        loop: { producer: "implementer", critic: "reviewer", clean_passes: 2, max_rounds: 5 },
      },
    });
  });

  it("is pair, and two duties for the reviewer", () => {
    expect(document.loop).toEqual(pair.loop);
    expect(document.steps.map(({ duties: _duties, ...step }) => step)).toEqual(pair.steps);
    expect(document.steps.filter(({ duties }) => duties).map(({ name, duties }) => [name, duties])).toEqual([
      ["review", ["adversarial", "implementability"]],
    ]);
  });
});

it.each(["implementer", "reviewer"])("the %s of a document has a prompt of its own", (role) => {
  expect(read("prompts", `document-${role}.md`)).toMatch(/^You are the \*\*\w+\*\* of this document/);
});
