// The status pane in the rows it has: state, turn and what to type first, then the last actions, then the rest.
import { describe, expect, it } from "vitest";
import { renderStatusPane } from "../../src/cli/render/bubble/status-pane.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import { buildTimelineRow } from "../../src/core/views/history/timeline.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { p1, pair, readyForApproval, underReview } from "../core/pair.ts";

function pane(scene: Scenario, rows: number, width: number): string[] {
  const now = scene.state.lastAt;
  const view = buildStatusView(scene.state, { now, driver: { pid: 7, seat: "tmux", lastSignAt: now } });
  return renderStatusPane(view, scene.log.map(buildTimelineRow), { now, colour: false, width, rows });
}

describe("the status pane", () => {
  const working = () => pair().started().atWork();

  it("has state, round, turn, watchdog and last actions in 7 rows of 80 columns", () => {
    const lines = pane(working(), 7, 80);
    expect(lines[0]).toMatch(/^cart +RUNNING +round 1 of 8/);
    expect(lines[1]).toMatch(/^ {2}now +alice · implementer · \d s .*watchdog in \d:\d\d/);
    expect(lines.filter((line) => /\d\d:\d\d:\d\d/.test(line)).length).toBeGreaterThanOrEqual(3);
    expect(lines.join("\n")).toMatch(/last +\d\d:\d\d:\d\d {2}\S/);
  });

  it.each([
    ["an agent works", working],
    ["a review is under way", () => underReview()],
    ["a person must approve", readyForApproval],
  ])("never has more rows or columns than the pane: %s", (_when, scene) => {
    for (const [rows, width] of [
      [3, 40],
      [7, 80],
      [11, 120],
      [14, 200],
    ] as const) {
      const lines = pane(scene(), rows, width);
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines.filter((one) => !/^ {2}type/.test(one)))
        expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it("says what to type in its last row, however small it is", () => {
    expect(pane(readyForApproval(), 4, 80).at(-1)).toMatch(/type +pairflow bubble approve --id cart/);
  });

  it("shows the newest actions, and findings where there is room", () => {
    const scene = underReview().reviews({ findings: [p1] });
    const [small, large] = [pane(scene, 7, 80), pane(scene, 30, 120)];
    const newest = scene.log.at(-1)?.seq ?? 0;
    expect(newest).toBeGreaterThan(5);
    expect(large.join("\n")).toContain(p1.title);
    expect(large.length).toBeGreaterThan(small.length);
  });
});
