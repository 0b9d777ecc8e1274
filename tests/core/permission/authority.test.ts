// Who may say what: agents claim, people decide, drivers report.
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/core/bubble/decide.ts";
import type { Actor, Command } from "../../../src/core/model/command.ts";
import { isHumanDecision } from "../../../src/core/permission/authority.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, readyForApproval } from "../pair.ts";

const asking = () => pair().started().asks("Keep the old route?");
const by = (command: Command, actor: Actor): Command => ({ ...command, actor });

const decisions: [string, () => Scenario, Command][] = [
  ["reply", asking, { type: "reply", actor: operator, message: "yes" }],
  ["resume", asking, { type: "resume", actor: operator, message: "" }],
  [
    "override the scope",
    asking,
    { type: "override-scope", actor: operator, paths: ["**"], reason: "because" },
  ],
  [
    "approve",
    readyForApproval,
    { type: "approve", actor: operator, digest: "digest-1", tree: "T1", message: "" },
  ],
  [
    "request rework",
    readyForApproval,
    { type: "request-rework", actor: operator, message: "again", reject: false },
  ],
  [
    "commit",
    () => readyForApproval().approves(),
    { type: "commit", actor: operator, commit: "c", tree: "T1", branch: "b" },
  ],
  ["stop", asking, { type: "stop", actor: operator, reason: "" }],
];

const agentOfLastTurn = (scene: Scenario): Actor => {
  const turn = scene.state.turn ?? scene.state.lastTurn;
  return {
    kind: "agent",
    turn: turn?.id ?? "",
    attempt: turn?.attempt ?? 1,
    capability: turn?.capability ?? "",
  };
};

describe("an agent", () => {
  it.each(decisions)("cannot %s, even in its own turn", (_what, scene, command) => {
    const at = scene();
    at.tries(by(command, agentOfLastTurn(at)))
      .refuses("operator.inside-agent")
      .leaves([]);
  });

  it("cannot report gates, trees or packages", () => {
    const scene = pair().started().implementerPasses();
    const agent = agentOfLastTurn(scene);
    scene.tries(by(scene.handoff("T1"), agent)).refuses("operator.inside-agent");
    const gated = scene.handsOver("T1");
    gated.tries(by(gated.gateRun({}), agent)).refuses("operator.inside-agent");
  });
});

describe("a driver", () => {
  it.each(decisions)("cannot %s", (_what, scene, command) => {
    scene().tries(by(command, driver)).refuses("operator.driver").leaves([]);
  });

  it("does not speak for agents", () => {
    const scene = pair().started().atWork();
    scene.tries(by(scene.pass(), driver)).refuses("turn.not-yours");
  });
});

describe("a person", () => {
  it("who types an agent's verb is told to say for whom", () => {
    const scene = pair().started().atWork();
    scene.tries(by(scene.pass(), operator)).refuses("turn.no-capability", { hint: /--as implementer/ });
  });

  it.each(decisions.filter(([what]) => !["stop", "resume"].includes(what)))(
    "is known by the line when they %s",
    (_what, scene, command) => {
      const { drafts } = decide(scene().state, command, "2026-01-02T03:04:05.678Z");
      expect(drafts.some(isHumanDecision)).toBe(true);
    },
  );
});

it("no line of a whole bubble needs a person but those that a person said", () => {
  const lines = readyForApproval().approves().log;
  expect(lines.filter(isHumanDecision).map(({ type }) => type)).toEqual(["APPROVAL_DECISION"]);
  expect(lines.filter(isHumanDecision).every(({ sender }) => sender === "human")).toBe(true);
});
