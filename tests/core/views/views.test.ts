// What people read: why each round continued, what happens next, what waits for them.
import { describe, expect, it } from "vitest";
import { buildInboxView } from "../../../src/core/views/bubble/inbox.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { buildSummaryView } from "../../../src/core/views/bubble/summary.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { afterSwap, p1, p3, pair, readyForApproval, underReview } from "../pair.ts";

const lines = (scene: Scenario) => explain(scene.log).map((line) => line.text);
const status = (scene: Scenario, driven = true) =>
  buildStatusView(scene.state, { now: scene.at, ...(driven ? { driver: { pid: 7, seat: "process" } } : {}) });

describe("explain", () => {
  it("says why each round continued or stopped, from the log alone", () => {
    const whole = underReview()
      .reviews({ findings: [p1] })
      .implementerPasses()
      .handsOver("T2")
      .gatesFail()
      .implements("T3")
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] })
      .reviewerConverges()
      .handsOver()
      .packageWritten()
      .approves()
      .commits();
    expect(lines(whole)).toEqual([
      "round 1 continued: F1 (P1, Total ignores discount) is open",
      "round 2 continued: test failed on this tree; the reviewer was not asked",
      "round 3 swapped roles: bob found nothing (1 of 2 clean passes); alice must review this tree too",
      expect.stringMatching(
        /^converged: 2 clean passes \(bob \d+, alice \d+\) on one tree, gates green on it, package complete, no open question$/,
      ),
      "approval is asked for; to know before signing: reviews need no evidence here (review.require_evidence = false)",
      "a human approved digest digest-1 by terminal",
      "committed c0ffee on bubble/cart",
    ]);
  });

  it("tells tie-breaks, disputes, refusals and the end of the budget", () => {
    expect(
      lines(
        underReview()
          .reviews({ findings: [p3] })
          .replies({ choice: "fix", message: "please" }),
      ),
    ).toEqual([
      "round 1 asked a human: only P2/P3 outside core are open: F1 (P3, Name is vague)",
      "round 1 continued: the human chose fix: please",
    ]);
    expect(
      lines(
        underReview({ config: { max_rounds: 1 } })
          .reviews({ findings: [p1] })
          .replies({ choice: "reject", message: "no" }),
      ),
    ).toEqual([
      "round 1 was the last of the budget: F1 (P1, Total ignores discount) is open; all 1 rounds are used",
      "cancelled: the human chose reject: no",
    ]);
    expect(lines(pair().started().implementerPasses().handsOver("T0", { files: [] }))).toEqual([
      expect.stringMatching(/^round 1: the handoff of alice was refused: nothing was changed/),
    ]);
    expect(lines(readyForApproval().reworks("rename it")).at(-1)).toBe(
      "round 2 continued: the human asked for rework: rename it",
    );
  });
});

describe("status", () => {
  it("has the fields the specification asks for", () => {
    expect(status(afterSwap().atWork())).toMatchObject({
      state: "RUNNING",
      active_agent: "alice",
      active_role: "reviewer",
      active_since: expect.stringMatching(/^2026-02-21T09:/),
      round: 2,
      max_rounds: 8,
      round_role_history: [{ round: 1 }, { round: 2, reviewer: "alice" }],
      last_command_at: expect.any(String),
      watchdog: { fires_in_ms: expect.any(Number), reason: "silent" },
      clean_passes: { have: 1, need: 2 },
      gates: { green: true, list: [{ name: "test", status: "passed" }] },
    });
  });

  it.each<[string, () => Scenario, string | null]>([
    ["not started", () => pair(), "pairflow bubble start --id cart"],
    [
      "a human must answer",
      () => pair().started().asks("?"),
      'pairflow bubble reply --id cart --message "…"',
    ],
    ["a human must approve", () => readyForApproval(), "pairflow bubble approve --id cart"],
    ["approved; not committed yet", () => readyForApproval().approves(), "pairflow bubble commit --id cart"],
    ["gates → bob reviews", () => pair().started().atWork(), null],
    ["the referee looks at the tree", () => pair().started().implementerPasses(), null],
    [
      "gates are run → bob reviews, or alice fixes it",
      () => pair().started().implementerPasses().handsOver("T1"),
      null,
    ],
    ["review → the referee judges", () => underReview(), null],
    ["the package is written → a human approves", () => afterSwap().reviews(), null],
    [
      "committed c0ffee on bubble/cart",
      () => readyForApproval().approves().commits(),
      "git merge bubble/cart",
    ],
    ["enough", () => pair().started().stops("enough"), "pairflow bubble delete --id cart"],
  ])("says what happens next: %s", (says, scene, command) => {
    expect(status(scene()).next).toEqual({ says, command });
  });

  it("says when nobody drives, with the command that calls for a driver", () => {
    const preparing = pair().does({ type: "start", actor: operator, seat: "process" });
    const scenes = [
      { scene: preparing, command: "pairflow bubble start --id cart" },
      { scene: pair().started(), command: "pairflow bubble resume --id cart" },
    ];
    for (const { scene, command } of scenes) {
      expect(status(scene, false).next).toEqual({
        says: expect.stringMatching(/^nobody drives this bubble/),
        command,
      });
      scene.tries({ type: "resume", actor: operator, message: "" }).then([]);
    }
  });

  it("names the choices of a question", () => {
    expect(status(underReview().reviews({ findings: [p3] })).next.command).toBe(
      'pairflow bubble reply --id cart --choose waive|fix --message "…"',
    );
  });

  it("shows findings with what became of them", () => {
    const scene = underReview()
      .reviews({ findings: [p1] })
      .implements("T2")
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] });
    expect(status(scene).findings).toMatchObject({
      open: [],
      closed: [{ id: "F1", status: "fixed", opened_by: "bob", closed_round: 2 }],
    });
  });

  it("shows no green gates of another tree", () => {
    const next = underReview()
      .reviews({ findings: [p1] })
      .implementerPasses()
      .handsOver("T2");
    expect(status(next).gates).toMatchObject({ green: false, list: [{ status: "not run" }] });
  });
});

describe("the inbox", () => {
  it("has what waits for a human, and what each answer does", () => {
    expect(buildInboxView(pair().started().state)).toEqual([]);
    expect(buildInboxView(pair().started().asks("Which?").state)).toMatchObject([
      { kind: "question", from: "alice", text: "Which?" },
    ]);
    expect(buildInboxView(underReview().reviews({ findings: [p3] }).state)).toMatchObject([
      { kind: "tie-break", options: [{ key: "waive" }, { key: "fix" }] },
    ]);
    expect(buildInboxView(readyForApproval().state)).toMatchObject([
      {
        kind: "approve",
        text: "Discounts apply before tax (1 file, +3 −1; digest digest-1)",
        command: "pairflow bubble approve --id cart",
      },
    ]);
    expect(buildInboxView(readyForApproval().approves().state)).toMatchObject([{ kind: "commit" }]);
    expect(buildInboxView(readyForApproval().approves().commits().state)).toEqual([]);
  });
});

describe("the timeline", () => {
  it("has a line for everything that can happen", () => {
    const whole = underReview()
      .reviews({ findings: [p1] })
      .asks("Which?")
      .replies({ message: "the first" });
    const rows = whole.log.map(buildTimelineRow);
    expect(rows.find((row) => row.what === "PASS" && row.who === "bob")?.text).toBe(
      '"done" · P1 Total ignores discount  src/cart.ts:41',
    );
    expect(rows.find((row) => row.what === "gates")?.text).toContain("✓ test");
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1));
    for (const row of rows) expect(row.text, row.what).toEqual(expect.any(String));
  });
});

describe("a listing", () => {
  it("has one small line a bubble", () => {
    expect(
      buildSummaryView(
        underReview()
          .reviews({ findings: [p1] })
          .atWork().state,
      ),
    ).toMatchObject({
      id: "cart",
      state: "RUNNING",
      round: 2,
      active_agent: "alice",
      active_role: "implementer",
      inbox: 0,
      open_findings: 1,
      max_rounds: 8,
    });
  });
});
