// A turn's capability: it ends with the turn, and a repeated verb returns its first outcome.
import { describe, expect, it } from "vitest";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, underReview } from "../pair.ts";

const atWork = () => pair().started().atWork();

describe("a claim", () => {
  it("with another capability is refused and leaves a warning", () => {
    const scene = atWork();
    const actor = { kind: "agent", turn: "t1", attempt: 1, capability: "guessed" } as const;
    scene
      .tries({ type: "pass", actor, summary: "s", digest: "d" })
      .refuses("turn.stale")
      .leaves([{ type: "WARNING", sender: "orchestrator", payload: { code: "turn.stale" } }]);
  });

  it("for a turn that never was is refused", () => {
    const actor = { kind: "agent", turn: "t9", attempt: 1, capability: "secret-t9.1" } as const;
    atWork().tries({ type: "pass", actor, summary: "s", digest: "d" }).refuses("turn.stale");
  });

  it("for a turn that is not started yet is refused", () => {
    const actor = { kind: "agent", turn: "t1", attempt: 0, capability: "" } as const;
    pair().started().tries({ type: "pass", actor, summary: "s", digest: "d" }).refuses("turn.stale");
  });

  it("of the other agent is refused: the reviewer's turn is not the implementer's", () => {
    const scene = underReview();
    const implementer = { kind: "agent", turn: "t1", attempt: 1, capability: "secret-t1.1" } as const;
    scene
      .atWork()
      .tries({ type: "pass", actor: implementer, summary: "again", digest: "other" })
      .refuses("turn.ended");
  });

  it("of an attempt that was replaced is refused", () => {
    const first = atWork();
    const old = first.agent;
    const second = first.turnEnds("crashed").turnStarts();
    second.tries({ type: "pass", actor: old, summary: "late", digest: "d" }).refuses("turn.stale");
    second.tries({ ...second.pass(), type: "pass" } as never).accepted();
  });

  it("that names an older attempt under the new capability is refused", () => {
    const second = atWork().turnEnds("crashed").turnStarts();
    const mixed = { kind: "agent", turn: "t1", attempt: 1, capability: "secret-t1.2" } as const;
    second
      .tries({ type: "pass", actor: mixed, summary: "s", digest: "d" })
      .refuses("turn.stale", { message: /attempt 1 .* attempt 2/ });
  });
});

describe("the same verb repeated in the same turn", () => {
  it("returns its first outcome and writes nothing", () => {
    const scene = atWork();
    const pass = scene.pass({ summary: "done" });
    const passed = scene.does(pass);
    passed.tries(pass).repeats(passed.last("PASS").seq);
  });

  it("still does so after the tree was taken and the next turn runs", () => {
    const scene = atWork();
    const pass = scene.pass({ summary: "done" });
    const passed = scene.does(pass);
    const next = passed.handsOver("T1").gatesPass().turnStarts();
    next.tries(pass).repeats(passed.last("PASS").seq);
  });

  it("does so for a question, which is asked once", () => {
    const scene = atWork();
    const ask = { type: "ask-human", actor: scene.agent, question: "Which?", digest: "ask" } as const;
    const asked = scene.does(ask);
    asked.tries(ask).repeats(asked.last("HUMAN_QUESTION").seq);
    expect(asked.state.questions).toHaveLength(1);
  });

  it("does so in the next attempt, when the one that asked was cut off before it learned of it", () => {
    const scene = atWork();
    const ask = { type: "ask-human", actor: scene.agent, question: "Which?", digest: "ask" } as const;
    const asked = scene.does(ask);
    const again = asked.replies({ message: "the left one" }).turnEnds("asked").turnStarts();
    again.tries({ ...ask, actor: again.agent }).repeats(asked.last("HUMAN_QUESTION").seq);
  });
});

describe("another verb after the claim", () => {
  it("is refused: a turn ends once", () => {
    const scene = atWork();
    const passed = scene.does(scene.pass({ summary: "done" }));
    passed.tries(scene.pass({ summary: "changed my mind" })).refuses("turn.ended", { message: /line \d+/ });
    passed.tries({ type: "ask-human", actor: scene.agent, question: "?", digest: "q" }).refuses("turn.ended");
  });
});

describe("a turn", () => {
  it("is started only by the driver that holds the newest claim", () => {
    const scene = pair().started();
    const started = scene.turnStarts().last("TURN_STARTED").payload;
    const { step: _s, role: _r, agent: _a, ...claim } = started;
    const other = { kind: "driver", id: "d2" } as const;
    scene.tries({ type: "turn-started", actor: other, ...claim }).refuses("driver.replaced");
    const taken = scene.does({ type: "claim-driver", actor: other, pid: 2, host: "here", seat: "process" });
    taken.tries({ type: "turn-started", actor: driver, ...claim }).refuses("driver.replaced");
    taken.tries({ type: "turn-started", actor: other, ...claim }).accepted();
  });

  it("is started once for each attempt", () => {
    const scene = atWork();
    const { step: _s, role: _r, agent: _a, ...claim } = scene.last("TURN_STARTED").payload;
    scene.tries({ type: "turn-started", actor: driver, ...claim }).refuses("driver.not-due");
    scene.tries({ type: "turn-started", actor: driver, ...claim, attempt: 2 }).refuses("driver.not-due");
  });

  it("keeps only a hash of what the agent knows on the record, as the shell gave it", () => {
    expect(atWork().last("TURN_STARTED").payload.capability).toBe("secret-t1.1");
  });
});

describe("an operator who speaks for a role", () => {
  const speak = (as: string) => ({ kind: "operator", via: "terminal", as }) as const;

  it("needs the role whose turn it is", () => {
    const scene = atWork();
    scene
      .tries({ type: "pass", actor: speak("reviewer"), summary: "s", digest: "d", noFindings: true })
      .refuses("turn.other-role", { hint: /--as implementer/ });
  });

  it("is recorded as such", () => {
    atWork()
      .tries({ type: "pass", actor: speak("implementer"), summary: "mine", digest: "d" })
      .then([
        { type: "PASS", sender: "human", recipient: "bob", payload: { by_operator: true, turn: "t1" } },
      ]);
  });

  it("may speak before the agent's process has started", () => {
    pair()
      .started()
      .tries({ type: "pass", actor: speak("implementer"), summary: "mine", digest: "d" })
      .accepted();
  });

  it("is refused when nobody has the turn", () => {
    const scene = atWork();
    const passed = scene.does(scene.pass());
    passed
      .tries({ type: "pass", actor: speak("implementer"), summary: "s", digest: "d" })
      .refuses("turn.none");
    passed.tries({ type: "pass", actor: operator, summary: "s", digest: "d" }).refuses("turn.no-capability");
  });
});
