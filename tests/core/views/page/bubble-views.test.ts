// What the page shows of one bubble: rounds as a picture, findings with their whole life, and what comes.
import { describe, expect, it } from "vitest";
import { buildStatusView } from "../../../../src/core/views/bubble/status.ts";
import { buildPageItem, buildPageItems, buildWorkingRow } from "../../../../src/core/views/page/inbox.ts";
import { listComingSteps } from "../../../../src/core/views/page/overview.ts";
import { buildFindingLives } from "../../../../src/core/views/page/review/findings.ts";
import { listTreeChoices } from "../../../../src/core/views/page/review/payload.ts";
import { buildRoundsView } from "../../../../src/core/views/page/rounds.ts";
import { buildReviewTrail } from "../../../../src/core/views/review/trail.ts";
import type { Scenario } from "../../../../src/testing/scenario.ts";
import { operator } from "../../../../src/testing/scenario-actors.ts";
import { p1, pair, readyForApproval, underReview } from "../../pair.ts";

const rounds = ({ log }: Scenario) => buildRoundsView(log, buildReviewTrail(log));

const oneLoop = () =>
  underReview()
    .reviews({ findings: [p1], summary: "wrong total" })
    .implements("T2")
    .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed", reason: "looked at line 8" }] })
    .reviewerConverges()
    .handsOver()
    .packageWritten();

describe("rounds", () => {
  it("say who made and who judged which tree, what the gates said, and why it continued", () => {
    const [first, second, third] = rounds(oneLoop());
    expect(first?.turns).toMatchObject([
      { agent: "alice", does: "made", tree: "T1", verdict: null },
      {
        agent: "bob",
        does: "reviewed",
        tree: "T1",
        verdict: "findings",
        opened: ["F1"],
        says: "wrong total",
      },
    ]);
    expect(first?.gates).toMatchObject([{ tree: "T1", results: [{ name: "test", status: "passed" }] }]);
    expect(first?.why).toEqual(["round 1 continued: F1 (P1, Total ignores discount) is open"]);
    expect(second?.turns).toMatchObject([
      { agent: "alice", tree: "T2" },
      { agent: "bob", verdict: "clean", closed: ["F1"] },
    ]);
    expect(third?.turns).toMatchObject([{ agent: "alice", does: "reviewed", tree: "T2", verdict: "clean" }]);
  });

  it("leave out a handover that was refused", () => {
    expect(rounds(pair().started().implementerPasses().handsOver("T0", { files: [] }))).toEqual([]);
  });

  it("give the trees that can be compared, each once, after the base", () => {
    const scene = oneLoop();
    expect(listTreeChoices(scene.state, rounds(scene)).map(({ name }) => name)).toEqual([
      "base",
      "round 1 · alice",
      "round 2 · alice",
    ]);
  });
});

describe("findings", () => {
  it("have their whole life, each word with its tree", () => {
    const scene = oneLoop();
    expect(buildFindingLives(scene.log, scene.state)).toMatchObject([
      {
        id: "F1",
        status: "fixed",
        tree: "T1",
        life: [
          { who: "bob", what: "opened", round: 1, tree: "T1" },
          { who: "bob", what: "fixed", round: 2, tree: "T2", says: "looked at line 8" },
        ],
      },
    ]);
  });

  it("of a human are opened with the rework", () => {
    const scene = readyForApproval().does({
      type: "request-rework",
      actor: operator,
      message: "",
      reject: false,
      findings: [{ severity: "P3", title: "Name it", file: "src/cart.ts", line: 4, quote: "const x" }],
    });
    expect(buildFindingLives(scene.log, scene.state)).toMatchObject([
      { id: "F1", status: "open", life: [{ who: "human", what: "opened", says: "const x" }] },
    ]);
  });

  it("of a human are delivered with the next prompt, and acknowledged by the handover of that turn", () => {
    const sentBack = readyForApproval()
      .does({
        type: "request-rework",
        actor: operator,
        message: "",
        reject: false,
        findings: [{ severity: "P3", title: "Name it" }],
      })
      .atWork();
    const told = (scene: Scenario) =>
      buildFindingLives(scene.log, scene.state)[0]?.life.map(({ who, what }) => `${who} ${what}`);
    const reader = sentBack.state.turn?.agent ?? "";
    expect(told(sentBack)).toEqual(["human opened", `${reader} delivered`]);
    const asked = sentBack.implements("T2");
    expect(told(asked)).toEqual(["human opened", `${reader} delivered`, `${reader} acknowledged`]);
    const answered = asked.reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] });
    expect(told(answered)?.slice(3)).toEqual([expect.stringMatching(/^\w+ fixed$/)]);
  });
});

describe("a rework with comments", () => {
  const sentBack = () =>
    readyForApproval().does({
      type: "request-rework",
      actor: operator,
      message: "",
      reject: false,
      findings: [{ severity: "P3", title: "Name it", file: "src/cart.ts", line: 4 }],
    });

  it("gives each an id, and it must be fixed whatever its severity", () => {
    expect(sentBack().state.findings).toMatchObject([
      { id: "F1", openedBy: "human", status: "open", ordered: true },
    ]);
    expect(sentBack().state.turn).toMatchObject({ role: "implementer" });
    const review = sentBack().implements("T2").atWork();
    review.tries(review.pass({ noFindings: true })).refuses("review.unanswered");
    const fixed = sentBack()
      .implements("T2")
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] });
    expect(fixed.state.findings).toMatchObject([{ id: "F1", status: "fixed" }]);
  });

  it("goes on counting: no id is given twice", () => {
    const next = sentBack()
      .implements("T2")
      .reviews({ findings: [p1], answers: [{ id: "F1", status: "fixed" }] });
    expect(next.state.findings.map(({ id }) => id)).toEqual(["F1", "F2"]);
  });

  it("needs words or comments", () => {
    const empty = { type: "request-rework", actor: operator, message: " ", reject: false } as const;
    readyForApproval().tries(empty).refuses("rework.no-message");
  });
});

describe("what comes", () => {
  it("is the rest of the workflow, the approval and the commit", () => {
    expect(listComingSteps(underReview().state)).toEqual(["your approval", "commit on bubble/cart"]);
    expect(listComingSteps(pair().started().atWork().state)).toEqual([
      "gates",
      "bob: review",
      "your approval",
      "commit on bubble/cart",
    ]);
    expect(listComingSteps(readyForApproval().approves().state)).toEqual(["commit on bubble/cart"]);
  });
});

describe("the inbox", () => {
  it("says which options grant something, and how each item is dealt with", () => {
    const scene = underReview({ config: { max_rounds: 1 } }).reviews({ findings: [p1] });
    const [item] = buildPageItems("shop", scene.state, 1);
    expect(item).toMatchObject({ repo: "shop", kind: "exhausted", answer: "reply" });
    expect(item?.options.map(({ key, grants, takes_rounds }) => [key, grants, takes_rounds])).toEqual([
      ["accept", true, false],
      ["continue", false, true],
      ["reject", false, false],
    ]);
    expect(buildPageItems("shop", readyForApproval().state, 8)).toMatchObject([
      {
        kind: "approve",
        answer: "review",
        change: { digest: "digest-1", clean_reviews: 2, open_findings: 0 },
      },
    ]);
  });

  it("tells in fields what the terminal tells in flags", () => {
    const scene = underReview({ config: { max_rounds: 1 } }).reviews({ findings: [p1] });
    const [item] = buildPageItems("shop", scene.state, 1);
    expect(item?.options.find(({ key }) => key === "continue")?.does).toBe(
      "continues; your message goes to the producer",
    );
    expect(item?.findings).toEqual([{ id: "F1", severity: "P1", title: "Total ignores discount" }]);
    expect(item?.terminal).toContain("--choose accept|continue|reject");
    const red = buildPageItem(
      "shop",
      {
        ...{ bubble: "cart", id: "q9", kind: "exhausted", from: "orchestrator", text: "", at: "", round: 1 },
        options: [{ key: "accept", does: "waives it; needs --waive-gate test --waive-gate lint" }],
        command: "",
      },
      { red: ["test", "lint"] },
    );
    expect(red.options).toMatchObject([{ does: "waives it", waives_gates: ["test", "lint"] }]);
  });

  it("a pause is ended where it stands", () => {
    const paused = pair()
      .started()
      .atWork()
      .does({ type: "pause", actor: operator, message: "", now: false });
    expect(buildPageItems("shop", paused.state, 8)).toMatchObject([
      { kind: "paused", answer: "reply", options: [{ key: "resume", grants: false }] },
    ]);
  });

  it("an agent's own option of a granting name grants nothing", () => {
    const scene = pair()
      .started()
      .asks("Which?", { options: ["accept", "other"] });
    const [item] = buildPageItems("shop", scene.state, 8);
    expect(item?.options.map(({ grants }) => grants)).toEqual([false, false]);
  });

  it("who works and who is silent is told by signs, not guessed", () => {
    const scene = pair().started().atWork();
    const row = (minutes: number, isDriven = true) => {
      const { state, at } = scene.minutesLater(minutes);
      const driver = { pid: 7, seat: "process", lastSignAt: scene.at };
      return buildWorkingRow(
        "shop",
        buildStatusView(state, { now: at, ...(isDriven ? { driver } : {}) }),
        at,
      );
    };
    expect(row(0)).toMatchObject({ doing: "alice · implementer", silent: null });
    expect(row(3)).toMatchObject({ silent: "no sign", watchdog_at: expect.any(String) });
    expect(row(0, false)).toMatchObject({ silent: "nobody drives it" });
  });
});
