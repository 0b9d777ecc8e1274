// The JSON Schemas that are sent to models: in the strict form that every vendor takes, and in agreement with what the
// referee understands.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnswerKind, understand } from "../../../src/core/answer/answer.ts";
import { buildAnswerSchema, buildPaperAnswerSchema } from "../../../src/core/answer/schema.ts";
import { type Dialect, dialects } from "../../../src/core/model/review/verdict.ts";
import { paperKinds } from "../../../src/core/paper/kinds.ts";
import { findEchoes } from "../../../src/core/review/dialect/echo.ts";
import { buildReviewSchema } from "../../../src/core/review/dialect/schema.ts";

interface Schema {
  readonly type: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly (string | null)[];
  readonly description?: string;
}

const kinds = ["handoff", "score", ...dialects] as const;
const schemaOf = (kind: (typeof kinds)[number]) => buildAnswerSchema(kind) as unknown as Schema;
/** Every form a final answer can have: what is handed in, its name for the test, and its schema. */
const forms = [
  ...kinds.map((kind): [string, AnswerKind, Schema] => [kind, kind, schemaOf(kind)]),
  ...paperKinds.map((paper): [string, AnswerKind, Schema] => [
    `the paper ${paper.name}`,
    "paper",
    buildPaperAnswerSchema(paper) as unknown as Schema,
  ]),
];

/** A schema and all inside it, each with its path. */
function parts(schema: Schema, path = "answer"): [string, Schema][] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
    parts(value, `${path}.${key}`),
  );
  return [[path, schema], ...inner, ...(schema.items ? parts(schema.items, `${path}[]`) : [])];
}

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === "string" ? [type] : type);

/** `<a>` or `tbd` fits a schema, but is refused as a blank that nobody filled in. */
const isBlank = (value: string) =>
  value.trim() === "" || findEchoes([{ path: ["why"], text: value, isName: false }]).length > 0;
const text = fc.stringMatching(/^[a-zåß中 -~]{1,40}$/).filter((value) => !isBlank(value));
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  integer: fc.integer({ min: 1, max: 100_000 }),
  number: fc.double({ min: 0, max: 1, noNaN: true }),
  boolean: fc.boolean(),
  null: fc.constant(null),
};

/** Any value of this schema; finding ids are finding ids, which a schema cannot say. */
function anyOf(schema: Schema, key = ""): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (key === "id") return fc.integer({ min: 1, max: 99 }).map((n) => `F${n}`);
  return fc.oneof(
    ...typesOf(schema).map((type) => {
      if (type === "array") return fc.array(anyOf(schema.items ?? { type: "null" }), { maxLength: 4 });
      if (type !== "object") return values[type] ?? fc.constant(undefined);
      const properties = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, anyOf(inner, name)])));
    }),
  );
}

/** What decides in a finished answer that reports what it likes. */
const finished: Readonly<Record<AnswerKind, object>> = {
  handoff: { status: "completed", summary: "done", questions: [] },
  score: { status: "completed", summary: "done", questions: [], score: 0.5 },
  paper: { status: "completed", summary: "done", questions: [], paper: { title: "Sign in" } },
  findings: { status: "completed", summary: "done", questions: [], converged: false },
  decision: { status: "completed", feedback: "done", questions: [], decision: "NO_GO" },
  status: { status: "needs_changes", summary: "done", questions: [] },
  verdict: {
    ...{ status: "completed", feedback: "done", questions: [], verdict: "rejected" },
    ...{ rejection_type: "fixable", confidence: 0.8 },
  },
  challenge: { status: "completed", critique: "done", questions: [], challenger_approved: false },
};

/** SOPs answered once each, with violations exactly where they are violated: a schema cannot say that. */
function consistent(answer: object): object {
  if (!("sop_review" in answer)) return answer;
  const entries = answer.sop_review as { status: string; violations: string[] }[];
  return {
    ...answer,
    sop_review: entries.map((entry, i) => ({
      ...entry,
      sop_id: `source.doc.sops.s${i}`,
      violations: entry.status === "violated" ? ["a violation", ...entry.violations] : [],
    })),
  };
}

describe.each(forms)("the schema of an answer with %s", (_name, kind, whole) => {
  const all = parts(whole);

  it("requires every property of every object, and allows no other", () => {
    const objects = all.filter(([, schema]) => typesOf(schema).includes("object"));
    expect(objects.length).toBeGreaterThan(1);
    for (const [path, schema] of objects) {
      expect(schema.additionalProperties, path).toBe(false);
      expect(schema.required, path).toEqual(Object.keys(schema.properties ?? {}));
    }
  });

  it("is made of the words that all vendors know", () => {
    const words = ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];
    for (const [path, schema] of all) {
      expect(
        Object.keys(schema).filter((word) => !words.includes(word)),
        path,
      ).toEqual([]);
      expect(["string", "integer", "number", "boolean", "null", "array", "object"], path).toEqual(
        expect.arrayContaining([...typesOf(schema)]),
      );
      if (typesOf(schema).includes("array")) expect(schema.items, path).toBeDefined();
    }
  });

  it("begins with an object that cannot be null, and survives the way to the model", () => {
    expect(whole.type).toBe("object");
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
  });

  it("says of each property what it is for", () => {
    // What is made of properties is explained by them.
    const named = all.filter(([path, schema]) => !path.endsWith("]") && !typesOf(schema).includes("object"));
    for (const [path, schema] of named) expect(schema.description, path).toMatch(/\S/);
  });

  it("gives nothing that is not understood: a finished answer of it is always a claim", () => {
    fc.assert(
      fc.property(anyOf(whole), (value) => {
        const understood = understand(kind, consistent({ ...(value as object), ...finished[kind] }));
        expect(understood).toMatchObject({ kind: "claim", claim: { type: "pass", summary: "done" } });
      }),
      { numRuns: 200 },
    );
  });

  it("gives questions that are understood, all of them", () => {
    fc.assert(
      fc.property(anyOf(whole), (value) => {
        const asking = { ...(value as { questions: readonly unknown[] }), status: "needs_input" };
        const understood = understand(kind, asking);
        if (asking.questions.length === 0) expect(understood.kind).toBe("garbage");
        else expect(understood.kind === "asks" && understood.questions.length).toBe(asking.questions.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe.each(dialects)("the schema of a review in the dialect %s", (dialect: Dialect) => {
  it("is the one of the final answer without the worker's signal, and what decides is never null", () => {
    const review = buildReviewSchema(dialect) as unknown as Schema;
    const answer = schemaOf(dialect);
    const signal = dialect === "status" ? ["message"] : ["status", "questions", "message"];
    expect([...Object.keys(review.properties ?? {}), ...signal].sort()).toEqual(
      Object.keys(answer.properties ?? {}).sort(),
    );
    const decides = { findings: "summary", challenge: "challenger_approved" }[dialect as string] ?? dialect;
    expect(typesOf(review.properties?.[decides] ?? { type: [] })).not.toContain("null");
    for (const [path, schema] of parts(review))
      if (typesOf(schema).includes("object")) expect(schema.additionalProperties, path).toBe(false);
  });
});
