// Another agent takes a turn over when its own cannot continue: once, never back, and never as the judge of its own work.
import { describe, expect, it } from "vitest";
import type { TurnOutcome } from "../../../src/core/model/turn-end.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { resumes } from "../ends.ts";
import { p1, pair } from "../pair.ts";

/** Who takes over from whom, by the settings in bubble.toml. */
const agents = (fallbacks: Record<string, string>) => ({
  agent: Object.fromEntries(
    Object.entries(fallbacks).map(([name, fallback]) => [name, { adapter: "claude", fallback }]),
  ),
});
const atWork = (fallbacks: Record<string, string>, more = {}) =>
  pair({ config: { ...agents(fallbacks), ...more } })
    .started()
    .atWork();
function endsOften(scene: Scenario, outcome: TurnOutcome, times: number): Scenario {
  const ended = scene.turnEnds(outcome);
  return times === 1 ? ended : endsOften(ended.turnStarts(), outcome, times - 1);
}

describe("a fallback agent", () => {
  it.each([
    ["auth", 1],
    ["quota", 1],
    ["context-overflow", 2],
    ["hung", 2],
    ["crashed", 3],
    ["rate-limited", 7],
  ] as const)(
    "takes over when its agent ended with %s for the %i. time, instead of a human",
    (outcome, times) => {
      if (times > 1)
        endsOften(atWork({ alice: "carol" }), outcome, times - 1).has({ turn: { agent: "alice" } });
      const taken = endsOften(atWork({ alice: "carol" }), outcome, times);
      taken.has({
        lifecycle: "RUNNING",
        questions: [],
        turn: { agent: "carol", role: "implementer", status: "due", failures: 0, gaveUp: ["alice"] },
      });
      expect(taken.last("TURN_ENDED").payload.next).toEqual({ session: "fresh", agent: "carol" });
    },
  );

  it.each(["garbage", "refused-tool", "unfinished", "no-session"] as const)(
    "does not take over after %s: that is a human's business",
    (outcome) => {
      const alone = endsOften(
        atWork({ alice: "carol" }),
        outcome,
        { garbage: 3, "no-session": 3, "refused-tool": 2, unfinished: 6 }[outcome],
      );
      alone.has({ lifecycle: "WAITING_HUMAN", turn: { agent: "alice" } });
    },
  );

  it("spares the wait for an account, also where waiting is switched off", () => {
    const taken = atWork({ alice: "carol" }, { wait_for_quota: false }).turnEnds("quota");
    taken.has({ lifecycle: "RUNNING", turn: { agent: "carol" } });
    expect(taken.turn).not.toHaveProperty("notBefore");
  });

  it("begins in a session of its own and hands over under its own name", () => {
    const taken = atWork({ alice: "carol" }).turnEnds("auth");
    expect(resumes(taken)).toBeUndefined();
    const started = taken.turnStarts({ session: "hers" });
    expect(started.last("TURN_STARTED")).toMatchObject({
      recipient: "carol",
      payload: { agent: "carol", attempt: 2 },
    });
    started.has({
      sessions: { "alice/implementer": "session-alice-implementer", "carol/implementer": "hers" },
    });
    const passed = started.does(started.pass());
    expect(passed.last("PASS").sender).toBe("carol");
    passed.handsOver("T1").has({ tree: { by: "carol" } });
  });

  it("begins with a clean slate: its own failures count from nought", () => {
    const taken = endsOften(atWork({ alice: "carol" }), "crashed", 3).turnStarts();
    taken.turnEnds("crashed").has({ lifecycle: "RUNNING", turn: { agent: "carol", failures: 1 } });
    endsOften(taken, "crashed", 3).has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ text: /^carol \(implementer\) ended without handing over \(3 attempts\)/ }],
    });
  });

  it("has the turn, not the role: the next turn is its own agent's again", () => {
    const back = atWork({ alice: "carol" })
      .turnEnds("auth")
      .implements("T1")
      .reviews({ findings: [p1] });
    back.has({ turn: { role: "implementer", agent: "alice" }, roles: { implementer: "alice" } });
    expect(back.turn).not.toHaveProperty("gaveUp");
  });
});

describe("a turn", () => {
  it("does not go back and forth", () => {
    const there = atWork({ alice: "carol", carol: "alice" }).turnEnds("auth");
    there
      .turnStarts()
      .turnEnds("auth")
      .has({ lifecycle: "WAITING_HUMAN", turn: { agent: "carol" } });
  });

  it("goes down a chain, each agent once, and then to a human", () => {
    const first = atWork({ alice: "carol", carol: "dave", dave: "carol" }).turnEnds("auth");
    const second = first
      .turnStarts()
      .turnEnds("quota")
      .has({ turn: { agent: "dave", gaveUp: ["alice", "carol"] } });
    second
      .turnStarts()
      .turnEnds("auth")
      .has({ lifecycle: "WAITING_HUMAN", turn: { agent: "dave" } });
  });

  it("stays with the agent that has it when a human starts it again", () => {
    const asked = atWork({ alice: "carol" }).turnEnds("auth").turnStarts().turnEnds("auth");
    asked.replies({ choice: "retry", message: "logged in" }).has({ turn: { agent: "carol" } });
  });

  it("is given to the fallback by a human, also after an end for which it does not take over by itself", () => {
    const asked = endsOften(atWork({ alice: "carol" }), "garbage", 3);
    expect(asked.state.questions[0]?.options).toMatchObject([
      { key: "retry" },
      { key: "hand-over", does: expect.stringContaining("carol takes this turn") },
      { key: "reject" },
    ]);
    const given = asked.replies({ choice: "hand-over", message: "JSON, please" }).has({
      lifecycle: "RUNNING",
      turn: { agent: "carol", status: "due", ends: {}, gaveUp: ["alice"] },
      deliveries: [{ text: "JSON, please" }],
    });
    expect(resumes(given)).toBeUndefined();
  });

  it("that still runs ends first, and what it used is its own agent's", () => {
    const silent = atWork({ alice: "carol" }).minutesLater(6).does({ type: "watchdog", actor: driver });
    const given = silent.replies({ choice: "hand-over" });
    expect(given.last("TURN_ENDED").payload).toMatchObject({
      outcome: "superseded",
      next: { agent: "carol", session: "fresh" },
    });
    expect(given.last("HUMAN_REPLY").payload).not.toHaveProperty("agent");
    given.has({ lifecycle: "RUNNING", turn: { agent: "carol", status: "due" } });
  });

  it("is not given to a fallback that was taken out of the settings meanwhile", () => {
    const asked = endsOften(atWork({ alice: "carol" }), "garbage", 3);
    const changed = asked.does({
      type: "configure",
      actor: operator,
      config: { ...asked.state.config, agent: { alice: { adapter: "claude" } } },
    });
    changed
      .tries({ type: "reply", actor: operator, choice: "hand-over", message: "" })
      .refuses("reply.no-fallback", { hint: /--choose retry/ });
  });

  it.each([
    ["the agent of the other role", { alice: "bob" }],
    ["itself", { alice: "alice" }],
  ])("is not taken over by %s", (_who, fallbacks) => {
    atWork(fallbacks)
      .turnEnds("auth")
      .has({ lifecycle: "WAITING_HUMAN", turn: { agent: "alice" } });
  });

  it("is not taken over where nobody is named, or something that is no name", () => {
    atWork({}).turnEnds("auth").has({ lifecycle: "WAITING_HUMAN" });
    const config = { agent: { alice: { adapter: "claude", fallback: 7 } } };
    pair({ config }).started().atWork().turnEnds("auth").has({ lifecycle: "WAITING_HUMAN" });
  });
});

describe("a review", () => {
  it("is taken over by an agent that did not build the tree", () => {
    const review = atWork({ bob: "carol" }).implements("T1").atWork().turnEnds("auth");
    review.has({ turn: { role: "reviewer", agent: "carol" } });
    review.reviews({ findings: [p1] }).has({ findings: [{ openedBy: "carol" }] });
  });

  it("is not taken over by the agent that stood in for the implementer", () => {
    const built = atWork({ alice: "carol", bob: "carol" }).turnEnds("auth").implements("T1").atWork();
    built.has({ tree: { by: "carol" }, turn: { role: "reviewer", agent: "bob" } });
    built.turnEnds("auth").has({ lifecycle: "WAITING_HUMAN", turn: { agent: "bob" } });
  });

  it("after the swap counts for the agent that gave it: two clean passes still need two agents", () => {
    const swapped = atWork({ bob: "carol", alice: "carol" })
      .implements("T1")
      .atWork()
      .turnEnds("auth")
      .reviews();
    swapped.has({ reviews: [{ agent: "carol", clean: true }], turn: { role: "reviewer", agent: "alice" } });
    const again = swapped
      .atWork()
      .turnEnds("auth")
      .has({ turn: { agent: "carol" } });
    again.reviews().has({ lifecycle: "RUNNING", position: { step: "review" }, turn: { agent: "bob" } });
  });
});
