// A silent agent becomes a human's business, and its next valid verb makes it none.
import { describe, expect, it } from "vitest";
import { findDeadline } from "../../../src/core/limits/watchdog.ts";
import { parseTime } from "../../../src/core/model/value/time.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, readyForApproval } from "../pair.ts";

const look = { type: "watchdog", actor: driver } as const;
const atWork = (config = {}) => pair({ config }).started().atWork();
/** Six minutes after its start alice has given no sign; the limit is five. */
const silent = (config = {}) => atWork(config).minutesLater(6).does(look);
const minutesAfter = (scene: Scenario, minutes: number) => scene.minutesLater(minutes).at;

describe("silence", () => {
  it("beyond watchdog_timeout_minutes is a question of the referee, and the bubble waits", () => {
    atWork()
      .minutesLater(6)
      .tries(look)
      .then([
        {
          type: "HUMAN_QUESTION",
          sender: "orchestrator",
          recipient: "human",
          payload: {
            kind: "watchdog",
            turn: "t1",
            question: /alice \(implementer, round 1\) gave no sign of life for 5 min/,
          },
        },
      ])
      .state({ lifecycle: "WAITING_HUMAN" });
  });

  it("before that writes nothing", () => {
    atWork()
      .minutesLater(4)
      .tries(look)
      .refuses("watchdog.not-due", { message: /alice has \d+ s left/ })
      .leaves([]);
  });

  it("is as long as configured", () => {
    atWork({ watchdog_timeout_minutes: 20 }).minutesLater(15).tries(look).refuses("watchdog.not-due");
    atWork({ watchdog_timeout_minutes: 0.5 }).minutesLater(1).tries(look).accepted();
  });

  it("is broken by any sign of life", () => {
    const scene = atWork();
    const sign = minutesAfter(scene, 4);
    scene
      .minutesLater(6)
      .tries({ ...look, lastSignAt: sign })
      .refuses("watchdog.not-due");
    scene
      .minutesLater(10)
      .tries({ ...look, lastSignAt: sign })
      .accepted();
  });

  it("is broken by a verb, even by one that is refused", () => {
    const scene = atWork().minutesLater(4);
    const refused = scene.after(
      scene.tries(scene.pass({ noFindings: true })).refuses("pass.findings-not-allowed"),
    );
    refused.minutesLater(4).tries(look).refuses("watchdog.not-due");
  });

  it("is nobody's while no turn runs", () => {
    pair().started().minutesLater(60).tries(look).refuses("watchdog.no-turn");
    pair().started().implementerPasses().minutesLater(60).tries(look).refuses("watchdog.no-turn");
    readyForApproval().minutesLater(60).tries(look).refuses("watchdog.no-turn");
  });

  it("is asked about once", () => {
    silent().minutesLater(60).tries(look).refuses("watchdog.no-turn");
  });
});

describe("a turn", () => {
  it("that is busy but hands nothing over is asked about after turn_timeout_minutes", () => {
    const scene = atWork();
    const busy = { ...look, lastSignAt: minutesAfter(scene, 29) };
    scene.minutesLater(29).tries(busy).refuses("watchdog.not-due");
    scene
      .minutesLater(31)
      .tries({ ...look, lastSignAt: minutesAfter(scene, 31) })
      .then([
        { type: "HUMAN_QUESTION", payload: { question: /has had its turn for 30 min without handing over/ } },
      ]);
  });

  it("does not spend its time while a human is asked", () => {
    const asked = atWork()
      .minutesLater(20)
      .asks("Which?")
      .minutesLater(120)
      .replies({ message: "the first" });
    expect(asked.state.activeSince).toBe(asked.last("HUMAN_REPLY").ts);
    asked.minutesLater(4).tries(look).refuses("watchdog.not-due");
  });

  it("has a deadline people can watch", () => {
    const scene = atWork();
    expect(findDeadline(scene.state, undefined)).toEqual({
      at: parseTime(scene.turn.startedAt ?? "") + 5 * 60_000,
      reason: "silent",
    });
  });
});

describe("the watchdog's question", () => {
  it("is withdrawn by the agent's next valid verb, without a human", () => {
    const scene = silent();
    scene
      .tries(scene.pass())
      .then([{ type: "QUESTION_WITHDRAWN", payload: { why: /alice spoke again/ } }, { type: "PASS" }])
      .state({ lifecycle: "RUNNING", questions: [], turn: { status: "claimed" } });
  });

  it("is withdrawn by a question of the agent, which then stands alone", () => {
    silent()
      .asks("Which?")
      .has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "agent", text: "Which?" }] });
  });

  it("is not withdrawn by a verb that is refused", () => {
    const scene = silent();
    scene
      .after(scene.tries(scene.pass({ noFindings: true })).refuses("pass.findings-not-allowed"))
      .has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "watchdog" }] });
  });

  it("answered with wait gives the same time again, and the message to the agent", () => {
    const waited = silent().replies({ choice: "wait", message: "take your time" });
    waited.has({
      lifecycle: "RUNNING",
      turn: { status: "running", attempt: 1 },
      deliveries: [{ text: "take your time", status: "owed" }],
    });
    waited.minutesLater(4).tries(look).refuses("watchdog.not-due");
    waited.minutesLater(6).tries(look).accepted();
  });

  it("answered with plain words is wait", () => {
    silent()
      .replies({ message: "continue" })
      .has({ lifecycle: "RUNNING", turn: { status: "running" } });
  });

  it("answered with restart starts the same turn again, with the message in its prompt", () => {
    const restarted = silent().replies({ choice: "restart", message: "you hung" });
    restarted.has({
      lifecycle: "RUNNING",
      turn: { id: "t1", status: "due", attempt: 1, failures: 0 },
      deliveries: [{ text: "you hung" }],
    });
    expect(restarted.last("TURN_ENDED").payload.outcome).toBe("superseded");
    expect(restarted.owes("start-turn").key).toBe("turn:t1.2");
    restarted.turnStarts().has({ turn: { attempt: 2 }, deliveries: [] });
  });

  it("is passed over by resume", () => {
    silent().resumes().has({ lifecycle: "RUNNING", questions: [] });
  });

  it("answered with restart when the process died meanwhile does no harm", () => {
    silent()
      .turnEnds("crashed")
      .replies({ choice: "restart", message: "" })
      .has({ lifecycle: "RUNNING", turn: { status: "due", failures: 1 } });
  });

  it("has no other answers", () => {
    silent()
      .tries({ type: "reply", actor: operator, message: "", choice: "approve" })
      .refuses("reply.unknown-choice", { hint: /wait \| restart/ });
  });
});

describe("moments", () => {
  it.each([
    "1970-01-01T00:00:00.000Z",
    "2000-02-29T23:59:59.999Z",
    "2026-02-21T12:34:56Z",
    "2100-03-01T00:00:00.5Z",
  ])("%s is read as the calendar says", (iso) => {
    expect(parseTime(iso)).toBe(Date.parse(iso));
  });
});
