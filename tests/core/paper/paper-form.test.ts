// Papers in the strict form: nothing that the schema asks for is left out, and nothing is lost on the way back.
import { describe, expect, it } from "vitest";
import type { PaperContext } from "../../../src/core/paper/kind.ts";
import { findPaperKind, paperKinds } from "../../../src/core/paper/kinds.ts";
import { readPaper } from "../../../src/core/paper/read.ts";
import { buildPaperSchema, formatStrictPaper } from "../../../src/core/paper/strict-form.ts";
import { misfits } from "../../helpers/json-misfits.ts";

const context: PaperContext = {
  at: "2026-11-16T09:00:00.000Z",
  papers: { plan: findPaperKind("plan")?.example ?? {} },
  payload: { task_description: "Prices as integers, everywhere at once" },
  gates: [],
};

describe("a paper in the strict form", () => {
  it.each(paperKinds)("$name: its example fits the schema whole, and is the same paper", (kind) => {
    const strict = formatStrictPaper(kind, kind.example);
    expect(misfits(buildPaperSchema(kind), strict)).toEqual([]);
    expect(readPaper(kind, strict, context)).toEqual(readPaper(kind, kind.example, context));
    expect(readPaper(kind, strict, context)).toMatchObject({ ok: true });
  });

  it("puts null, an empty list or an empty part where nothing is said", () => {
    const kind = findPaperKind("plan-refined");
    if (!kind) throw new Error("there is no refined plan");
    const { steps, test_plan, implementation, completion_promise } = formatStrictPaper(kind, { title: "t" });
    expect({ steps, test_plan, implementation, completion_promise }).toEqual({
      steps: [],
      test_plan: { commands: [] },
      implementation: { mode: null, max_iterations: null },
      completion_promise: null,
    });
  });
});
