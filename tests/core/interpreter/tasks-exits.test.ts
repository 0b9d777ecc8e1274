// What ends a task besides its critic: a score, a policy, a signature; each only together with the others.
import { describe, expect, it } from "vitest";
import { p1 } from "../pair.ts";
import { endsOf, opinion, pairDocument, playing, turnsOf } from "../tasks-play.ts";

const rejects = { findings: [p1], opinion: opinion("revise") };
const scored = (rest = "", metrics = "gates: 0.85, review: 0.15", threshold = 0.82) =>
  `confidence_loop: { enabled: true, threshold: ${threshold}, metrics: { ${metrics} } }\n${rest}`;

describe("a score", () => {
  it("at the threshold ends the loop without the challenger when the policy agrees", () => {
    const done = playing(pairDocument({ overlays: scored() }))
      .hands("T1")
      .locks();
    expect(turnsOf(done)).toEqual(["driver pe"]);
    expect(done.last("CONFIDENCE").payload).toMatchObject({ score: 0.85, threshold: 0.82, met: true });
    expect(done.last("LOCKED").payload.decided_by).toMatch(/confidence 0.85/);
  });

  it("does not end it while the policy wants a review by somebody else", () => {
    const asked = playing(
      pairDocument({ overlays: scored("policy_gate: { enabled: true, risk_tier: T1 }") }),
    ).hands("T1");
    asked.has({ turn: { role: "challenger", agent: "architect" } });
    asked.judges().has({ position: { step: "design/lock" } });
  });

  it("does not end it while something that blocks is open", () => {
    const overlays = scored("policy_gate: { enabled: true, risk_tier: T1 }", "gates: 0.7, review: 0.3", 0.6);
    const judged = playing(pairDocument({ overlays })).hands("T1").judges(rejects);
    judged.has({
      position: { step: "design", outcome: "revise", why: /F1/ },
      tasks: { design: { confidence: { score: 0.7, met: true } } },
    });
  });

  it("is taken again after a review, which is evidence too", () => {
    const overlays = scored("", "gates: 0.5, review: 0.5", 0.9);
    const judged = playing(pairDocument({ overlays, pair: 'exit_conditions: ["confidence_score >= 0.9"]' }))
      .hands("T1")
      .judges();
    judged.has({ position: { step: "design/lock" } });
    expect(judged.log.flatMap((line) => (line.type === "CONFIDENCE" ? [line.payload.score] : []))).toEqual([
      0.5, 1,
    ]);
  });

  it("of a judge is asked for before it is taken, and the judge is no critic", () => {
    const overlays =
      "confidence_loop: { enabled: true, threshold: 0.9, judge_agent: judge, metrics: { judge: 1 } }";
    const asked = playing(pairDocument({ overlays })).hands("T1").atWork();
    asked.has({ turn: { role: "judge", agent: "judge" } });
    const low = asked.does(asked.pass({ score: 0.4, summary: "thin" })).handsOver();
    low.has({ turn: { role: "challenger" }, tasks: { design: { confidence: { score: 0.4, met: false } } } });
    const high = asked.does(asked.pass({ score: 0.95, summary: "good" })).handsOver();
    high.has({ position: { step: "design/lock" } });
  });
});

describe("a signature", () => {
  const tier = (rest: string) =>
    pairDocument({ overlays: `policy_gate: { enabled: true, risk_tier: T2 }\n${rest}` });

  it("is asked for in tier T2 although no human is in the loop, and is for one tree", () => {
    const asked = playing(tier("hil: { enabled: false }")).hands("T1").judges();
    asked.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "sign-off" }] });
    const signed = asked.replies({ choice: "approve", message: "fine" }).locks();
    expect(signed.last("LOCKED").payload.decided_by).toBe("a human");
    const back = asked.replies({ choice: "rework", message: "name the owners" }).hands("T2").judges();
    back.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "sign-off" }], round: 2 });
    expect(asked.replies({ choice: "reject", message: "no" }).state.lifecycle).toBe("CANCELLED");
  });

  it("is asked for where the task requires a human, also of a single agent", () => {
    const document =
      "tasks:\n  ship:\n    agent: dev\n    overlays:\n      hil: { enabled: true, requires_human: true }\n";
    const asked = playing(document).hands("T1");
    asked.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "sign-off" }] });
    expect(endsOf(asked.replies({ choice: "approve", message: "" }))).toEqual(["ship completed"]);
  });

  it("is not asked for a task that ran out of iterations with no human in the loop", () => {
    const document = tier("hil: { enabled: false }").replace(
      "enabled: true\n        driver",
      "enabled: true\n        max_iterations: 1\n        driver",
    );
    const over = playing(document).hands("T1").judges(rejects);
    expect(endsOf(over)).toEqual(["design exceeded"]);
    over.has({ lifecycle: "FAILED" });
  });
});

describe("a single agent", () => {
  const document = "tasks:\n  design:\n    agent: pe\n";

  it("is asked once, and its tree goes to the human who signs", () => {
    const done = playing(document).hands("T1").packageWritten();
    expect(turnsOf(done)).toEqual(["agent pe"]);
    done.has({ lifecycle: "READY_FOR_APPROVAL", round: 1 });
  });

  it("goes again while its gates are red, and is exhausted like any other", () => {
    const first = playing(`${document}max_iterations: 2\n`).atWork();
    const second = first.does(first.pass({})).handsOver("T1").gatesFail().atWork();
    second.has({ round: 2, turn: { role: "agent", agent: "pe" } });
    second
      .does(second.pass({}))
      .handsOver("T2")
      .gatesFail()
      .has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "exhausted" }] });
  });
});
