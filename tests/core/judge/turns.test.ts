// A turn is one process with one capability; an end without an answer is tried again, then a human is asked.
import { describe, expect, it } from "vitest";
import { chooseSession } from "../../../src/core/judge/sessions.ts";
import type { StepOf } from "../../../src/core/model/program.ts";
import { getCurrentStep } from "../../../src/core/state/workflow-position.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { afterSwap, p1, pair, underReview } from "../pair.ts";

const atWork = () => pair().started().atWork();
const resumes = (scene: Scenario) =>
  chooseSession(scene.state, scene.turn, getCurrentStep(scene.state) as StepOf<"turn">).resume;

describe("a turn that ends without an answer", () => {
  it("is owed again as the next attempt", () => {
    const crashed = atWork().turnEnds("crashed");
    crashed.has({ turn: { id: "t1", status: "due", attempt: 1, failures: 1 } });
    expect(crashed.owes("start-turn").key).toBe("turn:t1.2");
  });

  it("is tried three times, then a human is asked", () => {
    const twice = atWork().turnEnds().turnStarts().turnEnds("hung").has({ lifecycle: "RUNNING" });
    const lost = twice.turnStarts().turnEnds();
    lost.has({
      lifecycle: "WAITING_HUMAN",
      questions: [
        {
          kind: "lost-agent",
          turn: "t1",
          text: /alice \(implementer\) ended without handing over \(3 attempts\): crashed. exit 1/,
        },
      ],
    });
    lost.owesNo("start-turn");
  });

  it.each(["crashed", "hung", "no-session", "asked"] as const)(
    "counts as a failure when it is reported as %s and no question was asked",
    (outcome) => {
      atWork()
        .turnEnds(outcome)
        .has({ turn: { failures: 1 } });
    },
  );

  it("starts again after a human's word, which is in its prompt", () => {
    const lost = atWork().turnEnds().turnStarts().turnEnds().turnStarts().turnEnds();
    const retried = lost.replies({ message: "the key is set now" });
    retried.has({
      lifecycle: "RUNNING",
      turn: { status: "due" },
      deliveries: [{ text: "the key is set now" }],
    });
    retried.turnStarts().has({ turn: { attempt: 4 } });
    lost.resumes().has({ lifecycle: "RUNNING" });
  });

  it("after asking a human is no failure", () => {
    pair()
      .started()
      .asks("Which?")
      .turnEnds("asked")
      .has({ turn: { status: "due", failures: 0 }, lifecycle: "WAITING_HUMAN" });
  });

  it("after asking a human is no failure either when the answer was quicker than the report of the end", () => {
    const answered = pair().started().asks("Which?").replies({ message: "The first" });
    const ended = answered.turnEnds("crashed");
    ended.has({ turn: { status: "due", failures: 0 }, lifecycle: "RUNNING" });
    const written = ended.log.find((envelope) => envelope.type === "TURN_ENDED");
    expect(written?.payload).toMatchObject({ outcome: "asked" });
  });

  it("is reported once", () => {
    const scene = atWork().turnEnds();
    scene
      .tries({ type: "turn-ended", actor: driver, turn: "t1", attempt: 1, outcome: "crashed", detail: "" })
      .refuses("driver.not-due");
  });

  it("after its claim was accepted is no end without an answer", () => {
    const scene = atWork();
    scene
      .does(scene.pass())
      .tries({ type: "turn-ended", actor: driver, turn: "t1", attempt: 1, outcome: "crashed", detail: "" })
      .refuses("driver.not-due");
  });
});

describe("a claim", () => {
  it("of an attempt that was already counted out, but not replaced, still counts: paid work is not thrown away", () => {
    const scene = atWork();
    const pass = scene.pass();
    scene
      .turnEnds("crashed")
      .tries(pass)
      .accepted()
      .state({ turn: { status: "claimed" } });
  });
});

describe("what a driver reports", () => {
  it("about a process is kept for the current attempt only", () => {
    const scene = atWork();
    scene.has({ turn: { pid: 100 } });
    scene
      .does({ type: "turn-spawned", actor: driver, turn: "t1", attempt: 1, pid: 101, tty: "/dev/pts/3" })
      .has({ turn: { pid: 101, tty: "/dev/pts/3" } });
    scene
      .tries({ type: "turn-spawned", actor: driver, turn: "t1", attempt: 2, pid: 9 })
      .refuses("driver.not-due");
    scene
      .tries({ type: "turn-spawned", actor: driver, turn: "t0", attempt: 1, pid: 9 })
      .refuses("driver.not-due");
  });

  it("counts the drivers that have taken over", () => {
    const second = atWork().does({
      type: "claim-driver",
      actor: { kind: "driver", id: "d2" },
      pid: 2,
      host: "here",
      seat: "tmux",
    });
    second.has({ driver: { id: "d2", attempt: 2 }, seat: "tmux" });
    atWork()
      .tries({
        type: "claim-driver",
        actor: { kind: "operator", via: "terminal" },
        pid: 2,
        host: "here",
        seat: "tmux",
      })
      .refuses("driver.not-due");
  });
});

describe("a session", () => {
  it("of a producer continues in its own earlier one", () => {
    expect(resumes(pair().started())).toBeUndefined();
    expect(resumes(underReview().reviews({ findings: [p1] }))).toBe("session-alice-implementer");
  });

  it("of a critic is fresh, every time", () => {
    const second = underReview()
      .reviews({ findings: [p1] })
      .implements("T2");
    expect(resumes(second)).toBeUndefined();
    expect(resumes(afterSwap())).toBeUndefined();
  });

  it("of a critic continues when the bubble says persistent", () => {
    const config = { reviewer_context_mode: "persistent" as const };
    const second = underReview({ config })
      .reviews({ findings: [p1] })
      .implements("T2");
    expect(resumes(second)).toBe("session-bob-reviewer");
  });

  it("of a second attempt continues where the first broke off, for critics too", () => {
    const crashed = underReview().atWork().turnEnds();
    expect(resumes(crashed)).toBe("session-bob-reviewer");
  });

  it("of an agent that changes sides is another one", () => {
    const swapped = afterSwap().reviews({ findings: [p1] });
    expect(swapped.turn).toMatchObject({ agent: "bob", role: "implementer" });
    expect(resumes(swapped)).toBeUndefined();
  });
});

describe("a session on another machine", () => {
  const claim = (scene: Scenario, host: string) =>
    scene.does({ type: "claim-driver", actor: driver, pid: 2, host, seat: "tmux" });

  it("is not continued there, and again where it was made", () => {
    const due = underReview().reviews({ findings: [p1] });
    const known = resumes(due);
    expect(known).toBeDefined();
    expect(resumes(claim(due, "there"))).toBeUndefined();
    expect(resumes(claim(claim(due, "there"), "here"))).toBe(known);
  });

  it("is not continued by the next attempt of its turn", () => {
    const crashed = atWork().turnEnds("crashed");
    expect(resumes(crashed)).toBeDefined();
    expect(resumes(claim(crashed, "there"))).toBeUndefined();
  });
});
