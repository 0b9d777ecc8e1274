// Reading papers: the form of each kind, its rules, and what the referee puts in.
import { describe, expect, it } from "vitest";
import { buildPaperContext } from "../../../src/core/paper/context.ts";
import { findPaperKind, paperKinds } from "../../../src/core/paper/kinds.ts";
import { readPaper } from "../../../src/core/paper/read.ts";
import { buildPaperSchema } from "../../../src/core/paper/strict-form.ts";
import { getPaperPath, numberPaperLines, serializePaper } from "../../../src/core/paper/text.ts";
import { context, exampleOf, kindOf, paperUnderReview, problemsOf, reading } from "../paper-scene.ts";

const around = { papers: { plan: exampleOf("plan") } };

describe.each(paperKinds.map((kind) => [kind.name, kind] as const))("a %s", (name, kind) => {
  it("is accepted as its example says, and completed only once", () => {
    const read = reading(name, {}, around);
    expect(read).toMatchObject({ ok: true });
    const value = read.ok ? read.value : {};
    expect(kind.complete(value, context({ ...around, at: "2027-01-01T00:00:00.000Z" }))).toEqual(value);
    expect(readPaper(kind, value, context(around))).toEqual({ ok: true, value });
  });

  it("knows every property that models are asked for, and takes null for what is left out", () => {
    const asked = Object.keys(buildPaperSchema(kind).properties as object);
    expect(Object.keys(kind.example).filter((key) => !asked.includes(key))).toEqual([]);
    const filled = Object.fromEntries(asked.map((key) => [key, kind.example[key] ?? null]));
    expect(readPaper(kind, filled, context(around))).toMatchObject({ ok: true });
  });

  it("has no other property, and is an object", () => {
    expect(problemsOf(name, { notes: "x" }, around)).toEqual([
      expect.stringContaining(`notes is not a field of the paper ${name}; known: `),
    ]);
    for (const given of [undefined, null, "text", 3, []])
      expect(readPaper(kind, given, context())).toEqual({
        ok: false,
        problems: [`the paper ${name} is one JSON object`],
      });
  });

  it("has a size", () => {
    const [field] = Object.keys(kind.example);
    expect(problemsOf(name, { [field ?? ""]: "x".repeat(32_000) })).toEqual([
      expect.stringMatching(/^it has \d+ characters as JSON; at most 32000/),
    ]);
    expect(problemsOf(name, { [field ?? ""]: "中".repeat(15_000) })[0]).toMatch(/44000 bytes/);
  });
});

it("is found by its name alone", () => {
  expect(findPaperKind("plan")?.name).toBe("plan");
  expect(findPaperKind("plans")).toBeUndefined();
  expect(findPaperKind(undefined)).toBeUndefined();
});

describe("the text of a paper", () => {
  const value = { title: "Sign in", steps: [1] };

  it("is a file with one property a line", () => {
    expect(getPaperPath("plan")).toBe(".pairflow/papers/plan.json");
    expect(serializePaper(value)).toBe('{\n  "title": "Sign in",\n  "steps": [\n    1\n  ]\n}\n');
  });

  it("is numbered as an editor numbers it", () => {
    const shown = numberPaperLines({ ...value, more: ["a", "b", "c", "d"] }).split("\n");
    expect(shown[1]).toBe(' 2 |   "title": "Sign in",');
    expect(shown.at(-1)).toBe("12 | }");
    const plain = shown.map((line) => line.replace(/^ *\d+ \| /, "")).join("\n");
    expect(`${plain}\n`).toBe(serializePaper({ ...value, more: ["a", "b", "c", "d"] }));
  });
});

it("is checked against what the bubble knows", () => {
  const { state } = paperUnderReview();
  const known = buildPaperContext({ ...state, program: { ...state.program, payload: { slug: "x" } } }, "now");
  expect(known).toMatchObject({ at: "now", payload: { slug: "x" }, gates: [{ name: "test" }] });
  expect(known.papers.plan).toEqual(kindOf("plan").complete(exampleOf("plan"), context()));
});
