// What a pass may and must say, role by role.
import { describe, expect, it } from "vitest";
import { p1, p3, pair, underReview } from "../pair.ts";

const producing = () => pair().started().atWork();
const reviewing = () => underReview().atWork();
/** Bob opened F1 in round 1, alice handed over T2, bob is about to review it. */
const secondReview = () =>
  underReview()
    .reviews({ findings: [p1] })
    .implements("T2")
    .atWork();

describe("an implementer's pass", () => {
  it("is always a PASS, with the intent of its role", () => {
    const scene = producing();
    scene.tries(scene.pass({ summary: "done", refs: ["notes.md"] })).then([
      {
        type: "PASS",
        sender: "alice",
        recipient: "bob",
        round: 1,
        refs: ["notes.md"],
        payload: { role: "implementer", pass_intent: "task", summary: "done" },
      },
    ]);
  });

  it("keeps an intent that is given", () => {
    const scene = producing();
    scene
      .tries(scene.pass({ intent: "fix_request" }))
      .then([{ type: "PASS", payload: { pass_intent: "fix_request" } }]);
  });

  it.each([
    ["findings", { findings: [p1] }],
    ["--no-findings", { noFindings: true }],
    ["answers", { answers: [{ id: "F1", status: "fixed" as const }] }],
    ["checked places", { checked: [{ file: "a.ts", why: "fine" }] }],
  ])("carries no %s", (_what, said) => {
    const scene = producing();
    scene
      .tries(scene.pass(said))
      .refuses("pass.findings-not-allowed")
      .leaves([{ type: "WARNING", payload: { agent: "alice", turn: "t1" } }]);
  });

  it("that calls a finding fixed is told whose word that is, and what to say instead", () => {
    const scene = producing();
    const { refusal } = scene.tries(scene.pass({ answers: [{ id: "F1", status: "fixed" }] })).decision;
    expect(refusal).toMatchObject({
      message: expect.stringContaining("whether a finding is fixed is for its reviewer to say"),
      hint: expect.stringContaining('pairflow pass --summary "F1: what was changed"'),
    });
  });

  it("has no findings in its payload", () => {
    const scene = producing();
    expect("findings" in scene.does(scene.pass()).last("PASS").payload).toBe(false);
  });

  it("changes nothing yet: the referee first looks at the tree", () => {
    const passed = pair().started().implementerPasses();
    passed.has({ turn: { status: "claimed" }, position: { step: "implement" } });
    expect(passed.state.tree).toBeUndefined();
    expect(passed.owes("snapshot").key).toBe(`snapshot:t1.${passed.last("PASS").seq}`);
  });

  it("that is too long for the record is refused, never half kept", () => {
    const scene = producing();
    scene
      .tries(scene.pass({ summary: "x".repeat(20_000) }))
      .refuses("command.malformed", { message: /summary/ })
      .leaves([]);
  });
});

describe("a reviewer's pass", () => {
  it("must say what it found", () => {
    const scene = reviewing();
    scene
      .tries(scene.pass())
      .refuses("pass.findings-missing", { hint: /--finding .*--no-findings/ })
      .leaves([{ type: "WARNING" }]);
  });

  it("with --no-findings keeps an empty list", () => {
    const scene = reviewing();
    scene
      .tries(scene.pass({ noFindings: true }))
      .then([
        { type: "PASS", sender: "bob", recipient: "alice", payload: { findings: [], pass_intent: "review" } },
      ]);
  });

  it("with findings gives each an id and asks for a fix", () => {
    const scene = reviewing();
    scene.tries(scene.pass({ findings: [p1, p3] })).then([
      {
        type: "PASS",
        payload: {
          pass_intent: "fix_request",
          findings: [
            { id: "F1", severity: "P1" },
            { id: "F2", severity: "P3" },
          ],
        },
      },
    ]);
  });

  it("cannot say both that it found something and that it did not", () => {
    const scene = reviewing();
    scene.tries(scene.pass({ findings: [p1], noFindings: true })).refuses("pass.findings-contradict");
  });

  it.each([
    ["--dispute", { disputes: [{ id: "F1", reason: "no" }] }],
    ["--no-change", { noChange: "fine" }],
    ["a package", { package: { what: "x" } }],
  ])("has no %s", (_what, said) => {
    const scene = reviewing();
    scene.tries(scene.pass({ noFindings: true, ...said })).refuses("pass.producer-only");
  });

  it("keeps what was checked", () => {
    const scene = reviewing();
    scene
      .tries(
        scene.pass({ noFindings: true, checked: [{ file: "src/cart.ts", line: 41, why: "discount first" }] }),
      )
      .then([{ type: "PASS", payload: { checked: [{ file: "src/cart.ts", line: 41 }] } }]);
  });
});

describe("from round 2 a critic answers every open finding", () => {
  it("--no-findings is refused while one is unanswered, with the command to paste", () => {
    const scene = secondReview();
    scene
      .tries(scene.pass({ noFindings: true }))
      .refuses("review.unanswered", {
        hint: /^pairflow pass --summary "…" --fixed F1 --no-findings --checked "src\/cart\.ts:41 /,
        details: /F1 P1 Total ignores discount {2}src\/cart\.ts:41/,
      })
      .leaves([{ type: "WARNING", payload: { code: "review.unanswered", details: [/F1/] } }]);
  });

  it("new findings do not excuse an unanswered one", () => {
    const scene = secondReview();
    scene.tries(scene.pass({ findings: [p3] })).refuses("review.unanswered");
  });

  it("fixed closes it, and the round is kept", () => {
    secondReview()
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] })
      .has({ findings: [{ id: "F1", status: "fixed", closedRound: 2 }] });
  });

  it("open is an answer by itself: nothing new and nothing clean", () => {
    secondReview()
      .reviews({ answers: [{ id: "F1", status: "open" }] })
      .has({ findings: [{ id: "F1", status: "open" }], round: 3, position: { step: "implement" } });
  });

  it("fixed alone does not say whether there is something new", () => {
    const scene = secondReview();
    scene.tries(scene.pass({ answers: [{ id: "F1", status: "fixed" }] })).refuses("pass.findings-missing");
  });

  it("withdrawn needs a reason", () => {
    const scene = secondReview();
    scene
      .tries(scene.pass({ noFindings: true, answers: [{ id: "F1", status: "withdrawn" }] }))
      .refuses("finding.no-reason", { hint: /--withdrawn 'F1:/ });
    secondReview()
      .reviews({
        noFindings: true,
        answers: [{ id: "F1", status: "withdrawn", reason: "I misread the sum" }],
      })
      .has({ findings: [{ status: "withdrawn", closedBecause: "I misread the sum" }] });
  });

  it("an answer to a finding nobody knows is refused", () => {
    const scene = secondReview();
    scene
      .tries(scene.pass({ noFindings: true, answers: [{ id: "F9", status: "fixed" }] }))
      .refuses("finding.unknown", { hint: /known: F1/ });
  });

  it("one finding has one answer", () => {
    const scene = secondReview();
    const answers = [
      { id: "F1", status: "fixed" as const },
      { id: "F1", status: "open" as const },
    ];
    scene.tries(scene.pass({ noFindings: true, answers })).refuses("finding.answered-twice");
  });

  it("a closed finding is closed once", () => {
    const closed = secondReview()
      .reviews({ findings: [p3], answers: [{ id: "F1", status: "fixed" }] })
      .replies({ choice: "fix", message: "do it" })
      .implements("T3")
      .atWork();
    const answers = [
      { id: "F1", status: "fixed" as const },
      { id: "F2", status: "fixed" as const },
    ];
    closed
      .tries(closed.pass({ noFindings: true, answers }))
      .refuses("finding.not-open", { hint: /--open F1 reopens/ });
  });

  it("--open reopens a closed one", () => {
    const closed = secondReview()
      .reviews({ findings: [{ ...p1, title: "Rounding is off" }], answers: [{ id: "F1", status: "fixed" }] })
      .implements("T3");
    const answers = [
      { id: "F1", status: "open" as const },
      { id: "F2", status: "fixed" as const },
    ];
    closed.reviews({ answers }).has({
      findings: [
        { id: "F1", status: "open" },
        { id: "F2", status: "fixed" },
      ],
      position: { step: "implement" },
    });
    expect(closed.reviews({ answers }).state.findings[0]).not.toHaveProperty("closedRound");
  });
});
