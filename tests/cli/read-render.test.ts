// How screens are drawn: times as people say them, lines that fit, text that cannot leave its line.
import { describe, expect, it } from "vitest";
import { renderPackage } from "../../src/cli/render/bubble/package.ts";
import { renderStatus } from "../../src/cli/render/bubble/status.ts";
import { renderTable } from "../../src/cli/render/table.ts";
import {
  formatCountdown,
  formatDayAndTime,
  formatDuration,
  formatTimeOfDay,
} from "../../src/cli/render/time.ts";
import { cut, measureWidth, toPlainLine } from "../../src/cli/terminal/style.ts";
import { buildPackageView } from "../../src/core/signing/package.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import { p1, pair, readyForApproval, underReview } from "../core/pair.ts";

const now = "2026-03-01T12:00:00.000Z";
const look = { now, colour: false, width: Number.POSITIVE_INFINITY };

function inZone<T>(zone: string, work: () => T): T {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    process.env.TZ = before;
  }
}

describe("times", () => {
  it.each([
    [-5, "0 s"],
    [4_900, "4 s"],
    [130_000, "2 min 10 s"],
    [120_000, "2 min"],
    [720_000, "12 min"],
    [11_100_000, "3 h 5 min"],
    [187_200_000, "2 d 4 h"],
  ])("%d ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("tells days and hours by the reader's own clock", () => {
    const at = "2026-03-01T22:30:05.000Z";
    expect(inZone("Asia/Tokyo", () => [formatTimeOfDay(at), formatDayAndTime(at)])).toEqual([
      "07:30:05",
      "2026-03-02 07:30:05",
    ]);
    expect(formatDayAndTime(at)).toBe("2026-03-01 22:30:05");
  });

  it("counts down as a clock does", () => {
    expect([formatCountdown(166_000), formatCountdown(3_766_000), formatCountdown(0)]).toEqual([
      "2:46",
      "1:02:46",
      "0:00",
    ]);
  });
});

describe("text", () => {
  it("takes terminal codes and writing directions out of what others wrote", () => {
    expect(toPlainLine("a\u001b[31mred\u001b[0m\tb\nc\u202e\u0007")).toBe("ared b c");
  });

  it("knows that some letters are two columns wide, and that colours have no width", () => {
    expect(measureWidth("日本 x")).toBe(6);
    expect(measureWidth("\u001b[36mab\u001b[0m")).toBe(2);
  });

  it("cuts to the width and closes the colour", () => {
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abc", 0)).toBe("abc");
    expect(cut("日本語", 4)).toBe("日…");
    expect(cut("\u001b[36mabcdef\u001b[0m", 4)).toBe("\u001b[36mabc…\u001b[0m");
  });

  it("aligns columns and leaves no spaces at the end", () => {
    expect(
      renderTable([
        ["a", "bb", ""],
        ["ccc", "d", "e"],
      ]),
    ).toEqual(["a     bb", "ccc   d    e"]);
  });
});

describe("a status", () => {
  it("shows a running turn with its last sign and the watchdog", () => {
    const state = underReview()
      .turnStarts()
      .reviewerPasses({ findings: [p1] })
      .handsOver()
      .turnStarts().state;
    const begun = Date.parse(state.activeSince);
    const at = (seconds: number) => new Date(begun + seconds * 1000).toISOString();
    const view = buildStatusView(state, {
      now: at(130),
      driver: { pid: 1, seat: "tmux", lastSignAt: at(126) },
    });
    expect(`\n${renderStatus(view, { ...look, now: at(130) })}\n`).toMatchInlineSnapshot(`
      "
      cart   RUNNING   round 2 of 8   gates ✓ test
        task     Fix cart totals
        now      alice · implementer · 2 min 10 s     last sign 4 s ago     watchdog in 4:56
        next     gates → bob reviews
        open     F1  P1  Total ignores discount  src/cart.ts:41  opened round 1 by bob
        used     agents worked 2 min 13 s
        tree     1 file, +3 −1 · T1
      "
    `);
    // Nothing heard for half a minute: what the agent does meanwhile is not known, and nothing is made of it.
    const silent = buildStatusView(state, {
      now: at(130),
      driver: { pid: 1, seat: "tmux", lastSignAt: at(90) },
    });
    expect(silent.silent_ms).toBe(40_000);
    expect(renderStatus(silent, { ...look, now: at(130) })).toContain("silent for 40 s     watchdog in 4:20");
    const mute = buildStatusView(state, { now: at(130), driver: { pid: 1, seat: "tmux" } });
    expect(renderStatus(mute, { ...look, now: at(130) })).toContain("silent for 2 min 10 s");
  });

  it("fits a narrow pane, except for the command to paste", () => {
    const view = buildStatusView(pair().state, { now });
    const lines = renderStatus(view, { ...look, width: 24 }).split("\n");
    expect(lines.slice(0, -1).every((line) => measureWidth(line) <= 24)).toBe(true);
    expect(lines.at(-1)).toBe("  type     pairflow bubble start --id cart");
  });

  it("uses one colour and no other", () => {
    const text = renderStatus(buildStatusView(readyForApproval().state, { now }), { ...look, colour: true });
    const codes = new Set(
      text
        .split("\u001b[")
        .slice(1)
        .map((part) => part.slice(0, part.indexOf("m"))),
    );
    expect([...codes].sort()).toEqual(["0", "1", "36"]);
  });
});

it("a package shows all six parts, the evidence and what to know before signing", () => {
  const view = buildPackageView(readyForApproval().state);
  const digest = "5d0e91aa0c3f77777777";
  expect(`\n${renderPackage(view, { digest, head: "27 · f3c2", colour: false })}\n`).toMatchInlineSnapshot(`
    "
    cart asks for approval     digest 5d0e 91aa 0c3f · head 27 · f3c2
      what     Discounts apply before tax
      why      Totals ignored the discount
      risk     Old invoices keep their totals
      files    src/cart.ts +3 −1
      gates    test ✓     on a clean checkout of exactly this tree
      reviews  bob clean (round 1) · alice clean (round 2) · 0 findings fixed, 0 waived, 0 open
      try      Add two items with code SAVE10
      message  fix(cart): apply discount before tax
      know     reviews need no evidence here (review.require_evidence = false)
    "
  `);
});
