// The gate report: what the gates said about one tree, in the schema structural-gates.v1.
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildGateReport, nameGateReport } from "../../../src/core/views/report/gates.ts";
import { buildReportSchema, type GateReport } from "../../../src/core/views/report/schema.ts";
import { writeGateReport } from "../../../src/engine/views/reviews.ts";
import { pair } from "../pair.ts";
import { designing, hands, objects } from "../pair-session-scene.ts";
import { type Disk, disk } from "../pair-session-world.ts";
import { gatesOf, resultOf, stateOf } from "../task-scene.ts";

let place: Disk;
beforeEach(() => {
  place = disk();
});
afterEach(() => place.close());

it("has exactly the fields of the schema; thresholds and measures only where there are some", () => {
  const state = stateOf(
    {},
    gatesOf(
      resultOf("build"),
      resultOf("coverage", {
        required: false,
        status: "failed",
        exit_code: 1,
        threshold: 80,
        coverage: 71.5,
      }),
    ),
  );
  expect(buildGateReport(state)).toEqual({
    schema: "structural-gates.v1",
    slug: "cart",
    task_id: "design",
    tree: "T1",
    preset: "given by flag",
    passed: true,
    feedback: "coverage: failed (optional, a warning), 71.5 % covered",
    gates: [
      { name: "build", command: "run build", required: true, status: "passed", exit_code: 0, duration_ms: 1 },
      {
        name: "coverage",
        command: "run coverage",
        required: false,
        status: "failed",
        exit_code: 1,
        duration_ms: 1,
        threshold: 80,
        measured: 71.5,
      },
    ],
    timestamp: state.lastAt,
  } satisfies GateReport);
});

it("has a schema with the same fields", () => {
  const report = buildGateReport(stateOf({}, gatesOf(resultOf("test", { threshold: 80, coverage: 90 }))));
  const schema = buildReportSchema("gates") as {
    properties: Record<string, { items?: { properties: object; required: string[] } }>;
  };
  expect(Object.keys(schema.properties)).toEqual(Object.keys(report ?? {}));
  const items = schema.properties.gates?.items;
  expect(Object.keys(items?.properties ?? {})).toEqual(Object.keys(report?.gates[0] ?? {}));
  expect(items?.required).not.toContain("threshold");
});

it("is not passed when a required gate is red, the gates changed what they judge, or the tree is another", () => {
  const red = gatesOf(resultOf("test", { status: "failed", excerpt: "1 test failed" }));
  expect(buildGateReport(stateOf({}, red))).toMatchObject({
    passed: false,
    feedback: "test: failed\n1 test failed",
  });
  const green = gatesOf(resultOf("test"));
  const voided = { ...green, gates: { ...green.gates, void: true } } as typeof green;
  expect(buildGateReport(stateOf({}, voided))).toMatchObject({ passed: false });
  const other = { ...green, gates: { ...green.gates, tree: "T0" } } as typeof green;
  expect(buildGateReport(stateOf({}, other))).toMatchObject({ passed: false });
  expect(buildGateReport(stateOf())).toBeUndefined();
});

it("has the names its trigger gave", () => {
  const state = stateOf({}, gatesOf(resultOf("test")));
  const { tasks: _tasks, ...program } = state.program;
  const triggered = { ...state, program: { ...program, payload: { slug: "auth", task_id: "task.auth.1" } } };
  expect(buildGateReport(triggered)).toMatchObject({ slug: "auth", task_id: "task.auth.1" });
});

it("stands under its task and round", () => {
  expect(nameGateReport(hands(objects(hands(designing(), "T1")), "T2").state)).toBe(
    "gate-reports/design-l1-2.json",
  );
  expect(nameGateReport(pair().started().implements("T1").state)).toBe("gate-reports/cart-1.json");
});

it("is written beside the record, and a place that takes no file is a warning", async () => {
  const state = await place.plays(hands(designing(), "T1"));
  await writeGateReport(place.world, state, "d1");
  const report = JSON.parse(readFileSync(place.artifact("gate-reports/design-l1-1.json"), "utf8"));
  expect(report).toEqual(buildGateReport(state));
  place.close();
  place = disk();
  const again = await place.plays(hands(designing(), "T1"));
  writeFileSync(place.artifact("gate-reports"), "in the way");
  await writeGateReport(place.world, again, "d1");
  await writeGateReport(place.world, await place.state(), "d1");
  const warned = (await place.lines()).filter(
    (line) => line.type === "WARNING" && line.payload.code === "view.unwritable",
  );
  expect(warned).toHaveLength(1);
});
