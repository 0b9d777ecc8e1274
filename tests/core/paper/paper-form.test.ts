// Papers in the strict form: nothing that the schema asks for is left out, and nothing is lost on the way back.
import { describe, expect, it } from "vitest";
import { strictPaper } from "../../../src/core/paper/form.ts";
import type { PaperContext } from "../../../src/core/paper/kind.ts";
import { paperKinds, paperNamed } from "../../../src/core/paper/kinds.ts";
import { readPaper } from "../../../src/core/paper/read.ts";
import type { Schema } from "../../../src/core/schema/json-schema.ts";

const context: PaperContext = {
  at: "2026-11-16T09:00:00.000Z",
  papers: { plan: paperNamed("plan")?.example ?? {} },
  payload: { task_description: "Prices as integers, everywhere at once" },
  gates: [],
};

/** Places where the value is not what the schema wants. */
function misfits(schema: Schema, value: unknown, path = "$"): string[] {
  const types = [schema.type].flat();
  if (value === null) return types.includes("null") ? [] : [`${path} is null`];
  if (Array.isArray(value))
    return value.flatMap((one, i) => misfits(schema.items as Schema, one, `${path}[${i}]`));
  const type = Number.isInteger(value) ? "integer" : typeof value;
  if (!types.includes(type)) return [`${path} is ${type}`];
  if (type !== "object") return [];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const extra = Object.keys(value as object).filter((name) => !properties.some(([known]) => known === name));
  return [
    ...extra.map((name) => `${path}.${name} is unknown`),
    ...properties.flatMap(([name, inner]) =>
      misfits(inner, (value as Record<string, unknown>)[name], `${path}.${name}`),
    ),
  ];
}

describe("a paper in the strict form", () => {
  it.each(paperKinds)("$name: its example fits the schema whole, and is the same paper", (kind) => {
    const strict = strictPaper(kind, kind.example);
    expect(misfits(kind.json, strict)).toEqual([]);
    expect(readPaper(kind, strict, context)).toEqual(readPaper(kind, kind.example, context));
    expect(readPaper(kind, strict, context)).toMatchObject({ ok: true });
  });

  it("puts null, an empty list or an empty part where nothing is said", () => {
    const kind = paperNamed("plan-refined");
    if (!kind) throw new Error("there is no refined plan");
    const { steps, test_plan, implementation, completion_promise } = strictPaper(kind, { title: "t" });
    expect({ steps, test_plan, implementation, completion_promise }).toEqual({
      steps: [],
      test_plan: { commands: [] },
      implementation: { mode: null, max_iterations: null },
      completion_promise: null,
    });
  });
});
