// Findings have identity: the same defect keeps its id from the round it was opened until it is closed.
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/core/model/review/finding.ts";
import { pruneLedger } from "../../../src/core/review/findings/ledger.ts";
import { listTouchedLines } from "../../../src/core/review/touched-lines.ts";
import { p1, p3, underReview } from "../pair.ts";

const afterFirstReview = () => underReview().reviews({ findings: [p1] });
const secondReview = () => afterFirstReview().implements("T2").atWork();

describe("the same title and file", () => {
  it("is the open finding, however it is spelled", () => {
    const scene = secondReview();
    scene
      .tries(scene.pass({ findings: [{ ...p1, title: "  TOTAL   ignores discount ", line: 55 }] }))
      .then([{ type: "PASS", payload: { findings: [], answers: [{ id: "F1", status: "open" }] } }]);
  });

  it("in another file is another finding", () => {
    const scene = secondReview();
    const said = {
      findings: [{ ...p1, file: "src/tax.ts" }],
      answers: [{ id: "F1", status: "fixed" as const }],
    };
    scene
      .tries(scene.pass(said))
      .then([{ type: "PASS", payload: { findings: [{ id: "F2", file: "src/tax.ts" }] } }]);
  });

  it("as a closed finding is a new one", () => {
    const scene = secondReview()
      .reviews({ findings: [{ ...p1, title: "Other" }], answers: [{ id: "F1", status: "fixed" }] })
      .implements("T3")
      .atWork();
    scene
      .tries(scene.pass({ findings: [p1], answers: [{ id: "F2", status: "fixed" }] }))
      .then([{ type: "PASS", payload: { findings: [{ id: "F3", title: p1.title }] } }]);
  });

  it("twice in one pass is one finding, with the worse severity", () => {
    const scene = underReview().atWork();
    scene.tries(scene.pass({ findings: [{ ...p1, severity: "P2" }, p3, { ...p1, severity: "P0" }] })).then([
      {
        type: "PASS",
        payload: {
          findings: [
            { id: "F1", severity: "P0" },
            { id: "F2", severity: "P3" },
          ],
        },
      },
    ]);
  });

  it("reported again and answered as fixed is a contradiction, not a lost finding", () => {
    const scene = secondReview();
    scene
      .tries(scene.pass({ findings: [p1], answers: [{ id: "F1", status: "fixed" }] }))
      .refuses("finding.contradicts", { message: /F1 is answered fixed and reported again/ });
  });

  it("with a worse severity makes the open one worse", () => {
    const scene = underReview({ config: { severity: { core_paths: ["**"], core_areas: [] } } })
      .reviews({ findings: [p3] })
      .implements("T2");
    scene
      .reviews({ findings: [{ ...p3, severity: "P0" }] })
      .has({ findings: [{ id: "F1", severity: "P0" }], findingCount: 1 });
  });

  it("with a milder severity leaves the open one as it is", () => {
    secondReview()
      .reviews({ findings: [{ ...p1, severity: "P3" }] })
      .has({ findings: [{ id: "F1", severity: "P1" }] });
  });
});

describe("a finding without evidence", () => {
  const { evidence: _none, ...unproven } = p1;

  it("is accepted, marked unproven, and blocks all the same", () => {
    underReview()
      .reviews({ findings: [unproven] })
      .has({
        findings: [{ id: "F1", proven: false, status: "open" }],
        position: { step: "implement" },
        round: 2,
      });
  });

  it("is proven when it is reported again with evidence", () => {
    underReview()
      .reviews({ findings: [unproven] })
      .implements("T2")
      .reviews({ findings: [p1] })
      .has({ findings: [{ id: "F1", proven: true, evidence: "sum += price" }] });
  });
});

describe("an id", () => {
  it("is never given twice, even if its review came to nothing", () => {
    const changed = underReview()
      .reviewerPasses({ findings: [p1] })
      .handsOver("T9", { files: [{ path: "src/cart.ts", status: "modified", added: 1, removed: 0 }] });
    changed.has({ findings: [], position: { step: "review" } });
    changed.reviews({ findings: [p3] }).has({ findings: [{ id: "F2", title: p3.title }] });
  });

  it("counts on from round to round", () => {
    secondReview()
      .reviews({ findings: [{ ...p1, title: "Second" }], answers: [{ id: "F1", status: "fixed" }] })
      .implements("T3")
      .reviews({ findings: [{ ...p1, title: "Third" }], answers: [{ id: "F2", status: "fixed" }] })
      .has({ findings: [{ id: "F1" }, { id: "F2" }, { id: "F3" }], findingCount: 3 });
  });
});

describe("what a human waived", () => {
  const waived = () =>
    underReview()
      .reviews({ findings: [p3] })
      .replies({ choice: "waive", message: "taste" });

  it("is not asked about again: reopening it is refused", () => {
    const scene = waived().atWork();
    scene
      .tries(scene.pass({ answers: [{ id: "F1", status: "open" }] }))
      .refuses("finding.waived", { message: /F1: taste/ });
  });

  it("does not come back as a new finding either", () => {
    const scene = waived().atWork();
    scene.tries(scene.pass({ findings: [p3] })).refuses("finding.waived");
  });

  it("comes back if it is worse than what was waived", () => {
    waived()
      .reviews({ findings: [{ ...p3, severity: "P1" }] })
      .has({
        findings: [
          { id: "F1", status: "waived" },
          { id: "F2", severity: "P1", status: "open" },
        ],
      });
  });
});

describe("a new P0 or P1 from round 2", () => {
  const touched = [{ path: "src/cart.ts", ranges: [[40, 44]] as [number, number][] }];
  const secondHandoff = () => afterFirstReview().implementerPasses().handsOver("T2", { touched }).gatesPass();
  const answers = [{ id: "F1", status: "fixed" as const }];

  it("on lines the last change did not touch has escaped earlier", () => {
    secondHandoff()
      .reviews({ answers, findings: [{ ...p1, title: "Old one", line: 7 }] })
      .has({ findings: [{}, { title: "Old one", escaped: true }] });
    secondHandoff()
      .reviews({ answers, findings: [{ ...p1, title: "Elsewhere", file: "src/tax.ts" }] })
      .has({ findings: [{}, { escaped: true }] });
  });

  it("on lines the last change touched has not", () => {
    const found = secondHandoff().reviews({ answers, findings: [{ ...p1, title: "New one", line: 42 }] });
    expect(found.state.findings[1]).not.toHaveProperty("escaped");
  });

  it("says nothing about lines when the change is too large to be listed", () => {
    const many = Array.from({ length: 400 }, (_, i) => ({
      path: `src/file-${i}.ts`,
      ranges: [[1, 2]] as [number, number][],
    }));
    const large = afterFirstReview().implementerPasses().handsOver("T2", { touched: many }).gatesPass();
    const found = large.reviews({
      answers,
      findings: [{ ...p1, title: "Somewhere", file: "src/file-399.ts", line: 1 }],
    });
    expect(found.state.findings[1]).not.toHaveProperty("escaped");
  });

  it("P2 and P3 are not marked", () => {
    const found = secondHandoff().reviews({ answers, findings: [{ ...p3, line: 7 }] });
    expect(found.state.findings[1]).not.toHaveProperty("escaped");
  });

  it("touched lines are read from the diff of the change", () => {
    const diff =
      "diff --git a/x b/x\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -1,2 +10,3 @@ f\n+a\n@@ -9 +20 @@\n-b\n+c\n@@ -30,2 +40,0 @@\n";
    expect(listTouchedLines(diff)).toEqual([
      {
        path: "src/cart.ts",
        ranges: [
          [10, 12],
          [20, 20],
          [40, 40],
        ],
      },
    ]);
  });
});

describe("the state", () => {
  const finding = (i: number, status: Finding["status"]): Finding => ({
    ...p1,
    id: `F${i}`,
    evidence: "e".repeat(4000),
    status,
    proven: true,
    openedRound: 1,
    openedBy: "bob",
    openedTree: "T1",
  });

  it("keeps every open finding and the newest closed ones, shortened", () => {
    const ledger = [finding(1, "open"), ...Array.from({ length: 300 }, (_, i) => finding(i + 2, "fixed"))];
    const left = pruneLedger(ledger);
    expect(left).toHaveLength(101);
    expect(left[0]).toEqual(finding(1, "open"));
    expect(left.at(-1)).toMatchObject({ id: "F301", evidence: "e".repeat(300) });
  });
});
