// Delivery into a pane is acknowledged or it did not happen.
import { describe, expect, it } from "vitest";
import type { CommandOf } from "../../../src/core/model/command.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, wholePackage } from "../../../src/testing/scenario-actors.ts";
import { pair } from "../pair.ts";

/** Alice asked, a human answered, her process still lives. */
const answered = () => pair().started().asks("Which?").replies({ message: "the first" });
const report = (scene: Scenario, status: CommandOf<"delivered">["status"]) => {
  const owed = scene.state.deliveries[0]!;
  return { type: "delivered", actor: driver, message: owed.message, turn: owed.turn, status } as const;
};
const delivers = (scene: Scenario, status: CommandOf<"delivered">["status"]) =>
  scene.does(report(scene, status));
/** Put into the pane twice and never read. */
const unread = () => {
  const twice = delivers(delivers(answered(), "sent"), "sent");
  return delivers(twice, "undelivered");
};

describe("a message for a living turn", () => {
  it("is due until it is read, each try under its own key", () => {
    const scene = answered();
    const keys = [scene, delivers(scene, "sent"), delivers(delivers(scene, "sent"), "sent")].map(
      (at) => at.owes("deliver").key,
    );
    const seq = scene.last("HUMAN_REPLY").seq;
    expect(keys).toEqual([`deliver:${seq}.owed.0`, `deliver:${seq}.sent.1`, `deliver:${seq}.sent.2`]);
  });

  it("is done when it is acknowledged", () => {
    delivers(delivers(answered(), "sent"), "acknowledged").has({ deliveries: [] }).owesNo("deliver");
  });

  it("is acknowledged by the agent's next verb", () => {
    const sent = delivers(answered(), "sent");
    sent.does(sent.pass()).has({ deliveries: [] });
    sent
      .does({ type: "ask-human", actor: sent.agent, question: "And then?", digest: "d2" })
      .has({ deliveries: [] });
  });

  it("that was read before its sending was reported is on the record all the same, once", () => {
    const scene = answered();
    const [late, given] = [report(scene, "sent"), report(scene, "undelivered")];
    const claimed = scene
      .does(scene.pass({ package: wholePackage }))
      .has({ deliveries: [] })
      .owesNo("deliver");
    const handedOver = claimed.handsOver("T1");
    for (const at of [claimed, handedOver]) {
      at.tries(given).refuses("driver.not-due");
      const told = at.does(late).has({ deliveries: [], notes: [] }).owesNo("deliver");
      expect(told.last("DELIVERY").payload).toMatchObject({ message: late.message, status: "sent" });
      told.tries(late).refuses("driver.not-due");
    }
  });

  it("may be acknowledged out of the agent's own process", () => {
    const sent = delivers(answered(), "sent");
    sent.does({ ...report(sent, "acknowledged"), actor: sent.agent }).has({ deliveries: [] });
  });

  it("cannot be given up before it was tried twice", () => {
    const scene = answered();
    scene.tries(report(scene, "undelivered")).refuses("driver.not-due");
    const once = delivers(scene, "sent");
    once.tries(report(once, "undelivered")).refuses("driver.not-due");
  });

  it("that is not owed cannot be reported", () => {
    answered()
      .tries({ type: "delivered", actor: driver, message: 3, turn: "t1", status: "sent" })
      .refuses("driver.not-due");
  });
});

describe("a message that nobody read", () => {
  it("is a human's business", () => {
    unread().has({
      lifecycle: "WAITING_HUMAN",
      questions: [
        { kind: "undelivered", turn: "t1", text: /put into its pane 2 times and never read: .*the first/ },
      ],
    });
  });

  it("is not lost: retry starts the turn again with the message in its prompt", () => {
    const retried = unread().replies({ choice: "retry" });
    retried.has({
      lifecycle: "RUNNING",
      turn: { status: "due", attempt: 1, failures: 0 },
      deliveries: [{ text: /the first/ }],
    });
    retried.turnStarts().has({ deliveries: [], turn: { attempt: 2 } });
  });

  it("is not lost when the human only resumes: it is delivered again", () => {
    const resumed = unread().resumes().has({ lifecycle: "RUNNING" });
    resumed.owes("deliver");
  });

  it("is settled when the agent speaks after all", () => {
    const scene = unread();
    scene
      .tries(scene.pass())
      .then([{ type: "QUESTION_WITHDRAWN" }, { type: "PASS" }])
      .state({ lifecycle: "RUNNING", deliveries: [] });
  });
});
