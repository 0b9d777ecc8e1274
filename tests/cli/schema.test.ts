// pairflow schema: the form of a review or a paper, for other programs and for people.
import { afterEach, beforeEach, expect, it } from "vitest";
import { dialects } from "../../src/core/model/review/verdict.ts";
import { paperKinds, paperNames } from "../../src/core/paper/kinds.ts";
import { buildPaperSchema } from "../../src/core/paper/strict-form.ts";
import { buildExampleReviews } from "../../src/core/review/dialect/examples.ts";
import { buildReviewSchema } from "../../src/core/review/dialect/schema.ts";
import { buildReportSchema, reportNames } from "../../src/core/views/report/schema.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

it("lists the dialects, the papers and the reports", () => {
  expect(shop.session("schema")).toMatchInlineSnapshot(`
    "
    findings          defects from P0 to P3; what is found decides
    decision          GO or NO_GO, with feedback and quality checks
    status            approved, needs_changes or needs_clarification, with scores, findings and blockers
    verdict           approved or rejected, with where a rejection leads, every SOP answered, and confidence
    challenge         challenger_approved true or false, with a critique
    user-story        What is wanted, as requirements and acceptance criteria that somebody can check; a human approves it.
    plan-refined      How the user story is implemented: the approach, each step with its file, and the test commands.
    plan              What is to be done and why, and how: situation, mission with success criteria, execution, constraints.
    tasks             The committed plan as tasks, each small enough for one change, which together cover its success criteria.
    refinement        Why the task could not be done as it was, what changes about the plan, and the task as it is now.
    decomposition     Why the task was too big, and the smaller tasks that together do what it asked.
    gates             a gate run as it is written to gate-reports/ (structural-gates.v1)
    review-validator  whether a review counts, as a step \`validate\` puts it out (review-validator.v1)
    "
  `);
  const { dialects: told, papers } = shop.json("schema");
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  expect([names(told), names(papers)]).toEqual([[...dialects], [...paperNames]]);
});

it("prints the JSON Schema of a dialect, with --example both examples", () => {
  for (const dialect of dialects) {
    expect(JSON.parse(shop.run("schema", dialect).stdout)).toEqual(buildReviewSchema(dialect));
    expect(JSON.parse(shop.run("schema", dialect, "--example").stdout)).toEqual(buildExampleReviews(dialect));
  }
  expect(shop.json("schema", "verdict")).toEqual(buildReviewSchema("verdict"));
});

it("names the nearest dialect when there is none of that name, and takes one", () => {
  expect(shop.session("schema", "verdikt")).toMatchInlineSnapshot(`
    "
    Error: there is no dialect, paper or report "verdikt"; did you mean verdict? (usage.unknown-dialect)
    Hint: pairflow schema
    [exit 2]
    "
  `);
  expect(shop.session("schema", "verdict", "status")).toMatchInlineSnapshot(`
    "
    Error: schema takes one name, not also "status" (usage.extra-word)
    Hint: pairflow schema
    [exit 2]
    "
  `);
});

it("prints the JSON Schema of a paper, with --example one of it", () => {
  for (const kind of paperKinds) {
    expect(JSON.parse(shop.run("schema", kind.name).stdout)).toEqual(buildPaperSchema(kind));
    expect(JSON.parse(shop.run("schema", kind.name, "--example").stdout)).toEqual(kind.example);
  }
  expect(shop.run("schema", "plan-refind").stderr).toContain("did you mean plan-refined?");
});

it("prints the JSON Schema of a report, which has no examples", () => {
  for (const name of reportNames)
    expect(JSON.parse(shop.run("schema", name).stdout)).toEqual(buildReportSchema(name));
  expect(shop.run("schema", "gates", "--example").stderr).toContain("usage.no-example");
});
