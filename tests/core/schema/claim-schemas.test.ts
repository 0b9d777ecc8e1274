// What models are asked for, as it is derived from the declarations: the whole of it in one file, so that a change of a
// field or of a word is seen where it arrives. UPDATE_GOLDEN=1 writes the file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  buildAnswerSchema,
  buildCheckpointSchema,
  buildPaperAnswerSchema,
} from "../../../src/core/answer/schema.ts";
import { dialects } from "../../../src/core/model/review/verdict.ts";
import { paperKinds } from "../../../src/core/paper/kinds.ts";
import { buildExampleReviews } from "../../../src/core/review/dialect/examples.ts";
import { buildReviewSchema } from "../../../src/core/review/dialect/schema.ts";
import { buildReportSchema, reportNames } from "../../../src/core/views/report/schema.ts";
import { buildInputSchema } from "../../../src/mcp/schemas.ts";
import { tools } from "../../../src/mcp/tools.ts";
import { misfits } from "../../helpers/json-misfits.ts";

const golden = join(import.meta.dirname, "../../fixtures/schemas/claims.json");

const byName = <T>(all: readonly T[], name: (one: T) => string, value: (one: T) => unknown) =>
  Object.fromEntries(all.map((one) => [name(one), value(one)]));

it("are the ones that were looked at, byte by byte", () => {
  const schemas = {
    answers: {
      ...byName(["handoff", "score", ...dialects] as const, String, buildAnswerSchema),
      checkpoint: buildCheckpointSchema(),
    },
    papers: byName(
      paperKinds,
      ({ name }) => name,
      (kind) => buildPaperAnswerSchema(kind),
    ),
    reviews: byName(dialects, String, buildReviewSchema),
    reports: byName(reportNames, String, buildReportSchema),
    tools: byName(
      tools,
      ({ name }) => name,
      ({ schema, like }) => buildInputSchema(schema, like),
    ),
  };
  const text = `${JSON.stringify(schemas, null, 1)}\n`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, text);
  expect(readFileSync(golden, "utf8")).toBe(text);
});

describe.each(dialects)("the examples of the dialect %s", (dialect) => {
  const { approving, rejecting } = buildExampleReviews(dialect, {
    open: ["F1"],
    sop: "source.doc.sops.rounding",
  });
  it.each([
    ["approving", approving],
    ["rejecting", rejecting],
  ])("are of its schema: %s", (_, example) => {
    expect(misfits(buildReviewSchema(dialect), example)).toEqual([]);
    expect(misfits(buildReviewSchema(dialect), { ...example, tree: null, other: 1 })).toEqual([
      "$.other is unknown",
      "$.tree is null",
    ]);
  });
});
