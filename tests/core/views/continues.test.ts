// A run that continues one that ended: what nobody has answered there is open here, and whoever approves must answer it.
import { describe, expect, it } from "vitest";
import { listCarriedFindings } from "../../../src/core/state/severity.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { pair } from "../pair.ts";

const rejected = (): Scenario =>
  pair()
    .started()
    .hands("T1")
    .judges({
      findings: [{ severity: "P1", title: "Total ignores tax", file: "cart.ts", line: 4, quote: "sum" }],
    })
    .stops();

const continued = () =>
  pair({ continues: { bubble: "old", tree: "T1", findings: listCarriedFindings(rejected().state) } });

describe("a run that continues another", () => {
  it("has its open findings under their ids, with their places", () => {
    const scene = continued();
    expect(scene.state.findings).toMatchObject([
      { id: "F1", severity: "P1", status: "open", file: "cart.ts", line: 4, quote: "sum", openedTree: "T1" },
    ]);
    expect(scene.state.findingCount).toBe(1);
    expect(buildStatusView(scene.state, { now: scene.at }).findings.open).toMatchObject([{ id: "F1" }]);
    expect(buildTimelineRow(scene.last("BUBBLE_CREATED")).text).toContain("continues old, open: F1");
  });

  it("is not approved before its reviewer has answered them", () => {
    const handed = continued().started().implements("T2").atWork();
    handed.tries(handed.pass({ noFindings: true })).refuses("review.unanswered");
    const answered = handed.does(handed.pass({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] }));
    expect(answered.handsOver().state.findings).toMatchObject([{ id: "F1", status: "fixed" }]);
  });
});
