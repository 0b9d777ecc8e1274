// An agent asks, the bubble waits, a person answers or resumes; an agent never resumes itself.
import { describe, expect, it } from "vitest";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { p1, pair, underReview } from "../pair.ts";

const asking = () => pair().started().asks("Keep the old /v1 route?");
const reply = { type: "reply", actor: operator, message: "keep it" } as const;

describe("ask-human", () => {
  it("is always a HUMAN_QUESTION, and the bubble waits", () => {
    const scene = pair().started().atWork();
    scene
      .tries({ type: "ask-human", actor: scene.agent, question: "Which?", digest: "d", options: ["a", "b"] })
      .then([
        {
          type: "HUMAN_QUESTION",
          sender: "alice",
          recipient: "human",
          payload: { question: "Which?", kind: "agent", turn: "t1", options: [{ key: "a" }, { key: "b" }] },
        },
      ])
      .state({ lifecycle: "WAITING_HUMAN", turn: { status: "running" } });
  });

  it("may be used by either role", () => {
    underReview()
      .asks("Is this intended?")
      .has({ questions: [{ from: "bob" }] });
  });

  it("stops everything that is due for agents", () => {
    asking().owesNo("start-turn").owesNo("snapshot").owesNo("gates");
    expect(asking().owes("notify")).toMatchObject({
      event: "waiting-human",
      text: "Keep the old /v1 route?",
    });
  });

  it("pauses the agent: its pass is refused until a human has answered", () => {
    const scene = asking();
    scene
      .tries(scene.pass())
      .refuses("bubble.waiting-human", { hint: /bubble reply/ })
      .leaves([{ type: "WARNING" }]);
  });

  it("cannot be answered or resumed by the agent itself", () => {
    const scene = asking();
    scene.tries({ ...reply, actor: scene.agent }).refuses("operator.inside-agent");
    scene.tries({ type: "resume", actor: scene.agent, message: "" }).refuses("operator.inside-agent");
  });
});

describe("reply", () => {
  it("is always a HUMAN_REPLY, returns to RUNNING, and its delivery is owed", () => {
    asking()
      .tries(reply)
      .then([
        {
          type: "HUMAN_REPLY",
          sender: "human",
          recipient: "alice",
          payload: { message: "keep it", via: "terminal" },
        },
      ])
      .state({
        lifecycle: "RUNNING",
        questions: [],
        deliveries: [
          { turn: "t1", status: "owed", text: 'Answer to your question "Keep the old /v1 route?": keep it' },
        ],
      });
  });

  it("goes into the next prompt when the agent's process is gone", () => {
    const gone = asking().turnEnds("asked").replies({ message: "keep it" });
    gone.has({ turn: { status: "due", failures: 0 }, deliveries: [{ text: /keep it/ }] }).owesNo("deliver");
    gone.turnStarts().has({ deliveries: [], turn: { attempt: 2 } });
  });

  it("is in every later attempt's prompt until the turn is handed over", () => {
    const gone = asking().turnEnds("asked").replies({ message: "keep it" });
    const died = gone.turnStarts().turnEnds("crashed");
    died.has({ notes: [/keep it/] });
    died.turnStarts().has({ notes: [/keep it/], turn: { attempt: 3 } });
  });

  it("needs words", () => {
    asking()
      .tries({ ...reply, message: "  " })
      .refuses("reply.empty");
  });

  it("needs an open question", () => {
    pair()
      .started()
      .tries(reply)
      .refuses("reply.no-question", { hint: /bubble inbox/ });
    asking()
      .tries({ ...reply, question: "q1" })
      .refuses("reply.no-question", { message: /q1 is not an open question/ });
  });

  it("may name the question it answers", () => {
    const scene = asking();
    scene.does({ ...reply, question: scene.state.questions[0]?.id ?? "" }).has({ lifecycle: "RUNNING" });
  });

  it("to an agent's question may be one of its options, which is then what the agent is told", () => {
    const offered = pair()
      .started()
      .asks("Which?", { options: ["left", "right"] });
    offered.replies({ choice: "left" }).has({ deliveries: [{ text: /": left$/ }] });
    offered
      .replies({ choice: "left", message: "for now" })
      .has({ deliveries: [{ text: /": left: for now$/ }] });
    offered.tries({ ...reply, choice: "up" }).refuses("reply.unknown-choice");
    offered.replies({ message: "neither" }).has({ lifecycle: "RUNNING" });
  });

  it("to an agent's question decides nothing else, whatever the agent called its options", () => {
    const options = ["accept", "waive", "continue", "restart", "uphold", "fix"];
    const bait = underReview({ config: { max_rounds: 1 } })
      .reviews({ findings: [p1] })
      .replies({ choice: "continue", rounds: 1 })
      .asks("Shall I continue?", { options });
    for (const choice of options) {
      bait.replies({ choice, message: "sure" }).has({
        findings: [{ id: "F1", status: "open" }],
        extraRounds: 1,
        waivedGates: [],
        position: { step: "implement" },
        turn: { status: "running" },
      });
    }
    bait.tries({ ...reply, choice: "accept", waiveGates: ["test"] }).refuses("reply.waive-gate");
    bait.tries({ ...reply, choice: "continue", rounds: 5 }).refuses("reply.rounds");
    bait.tries({ ...reply, choice: "waive", findings: ["F1"] }).refuses("reply.findings");
  });
});

describe("resume", () => {
  const resume = { type: "resume", actor: operator, message: "" } as const;

  it("continues without an answer, and the agent is told so", () => {
    asking()
      .tries(resume)
      .then([{ type: "RESUMED", sender: "human", payload: { how: "plain", via: "terminal" } }])
      .state({ lifecycle: "RUNNING", questions: [], deliveries: [{ text: /resumed without an answer/ }] });
  });

  it("may bring words along", () => {
    asking()
      .resumes({ message: "decide yourself" })
      .has({ deliveries: [{ text: /decide yourself/ }] });
  });

  it("of a running bubble changes nothing: it only calls for a driver", () => {
    pair().started().tries(resume).then([]);
    pair().does({ type: "start", actor: operator, seat: "process" }).tries(resume).then([]);
  });

  it("of a bubble that was never started points to start", () => {
    pair()
      .tries(resume)
      .refuses("resume.wrong-state", { hint: /bubble start/ });
  });

  it("has nothing to keep or put back when nobody changed files", () => {
    asking()
      .tries({ ...resume, tree: "keep" })
      .refuses("resume.nothing-changed");
    pair()
      .started()
      .atWork()
      .tries({ ...resume, tree: "keep" })
      .refuses("resume.nothing-changed");
  });
});
