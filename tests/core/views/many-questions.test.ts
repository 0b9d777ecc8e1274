// An agent may ask several things at once: all reach the inbox, it continues when all are answered, and a process that
// waits gets its answers under its own names for the questions.
import { describe, expect, it } from "vitest";
import type { CommandOf } from "../../../src/core/model/command.ts";
import type { AgentQuestion } from "../../../src/core/model/turn-end.ts";
import { buildInboxView } from "../../../src/core/views/bubble/inbox.ts";
import { suggestAnswerCommand } from "../../../src/core/views/bubble/next-step.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { pair, underReview } from "../pair.ts";

const others: readonly AgentQuestion[] = [
  { id: "route", question: "Keep the old /v1 route?", options: ["keep", "drop"] },
  { id: "name", question: "Which name?", context: "Both are used in the docs." },
];
const three = { question: "Which database?", options: ["SQLite", "Postgres"], others } as const;
const waiting = { request: "request-7", questions: ["database", "route", "name"] };

const asking = (more: Partial<CommandOf<"ask-human">> = {}) =>
  pair()
    .started()
    .asks(three.question, { ...three, ...more });
const id = (scene: Scenario, i: number) => scene.state.questions[i]?.id ?? "";
/** Each open question is answered, the newest first. */
const answersAll = (scene: Scenario): Scenario =>
  [...scene.state.questions]
    .reverse()
    .reduce<Scenario>(
      (so, { id: question, text }) => so.replies({ question, message: `about ${text.slice(0, 9)}` }),
      scene,
    );

describe("several questions at once", () => {
  it("are all asked, each with its own options and context", () => {
    const scene = pair().started().atWork();
    scene
      .tries({ type: "ask-human", actor: scene.agent, digest: "d", ...three })
      .then([
        {
          type: "HUMAN_QUESTION",
          sender: "alice",
          payload: { question: "Which database?", options: [{ key: "SQLite" }, { key: "Postgres" }] },
        },
        {
          type: "HUMAN_QUESTION",
          payload: { question: /\/v1 route/, options: [{ key: "keep" }, { key: "drop" }] },
        },
        {
          type: "HUMAN_QUESTION",
          payload: { question: "Which name?\n\nBoth are used in the docs.", kind: "agent" },
        },
      ])
      .state({ lifecycle: "WAITING_HUMAN", turn: { status: "running" } });
    expect(asking().last("HUMAN_QUESTION").payload).not.toHaveProperty("options");
  });

  it("stand in the inbox one by one, each with the command that answers it", () => {
    const items = buildInboxView(asking().state);
    expect(items.map(({ text }) => text.split("\n")[0])).toEqual([
      "Which database?",
      "Keep the old /v1 route?",
      "Which name?",
    ]);
    for (const item of items) expect(item.command).toContain(`--question ${item.id}`);
  });

  it("are one command: repeated, it returns its first outcome and asks nothing again", () => {
    const scene = asking();
    const again = {
      type: "ask-human",
      actor: scene.agent,
      digest: `ask ${three.question}`,
      ...three,
    } as const;
    scene.tries(again).repeats(scene.last("HUMAN_QUESTION").seq);
  });

  it("may be asked by a critic too", () => {
    underReview()
      .asks("Is this meant?", { others })
      .has({ questions: [{ from: "bob" }, {}, {}] });
  });

  it("may propose whole sentences as answers, and as many as an answer may have", () => {
    const options = Array.from({ length: 20 }, (_, i) =>
      `${i} ${"keep the route and warn ".repeat(8)}`.slice(0, 200),
    );
    const offered = pair()
      .started()
      .asks("Which?", { options, others: [{ id: "b", question: "And?", options }] });
    const choice = options[3] ?? "";
    offered
      .replies({ choice })
      .has({ deliveries: [{ text: `Answer to your question "Which?": ${choice}` }] });
  });
});

describe("the bubble", () => {
  it("runs again only when all are answered, in whatever order", () => {
    const first = asking();
    const second = first.replies({ question: id(first, 1), choice: "drop" });
    second.has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ text: "Which database?" }, { text: /Which name/ }],
    });
    second.owesNo("deliver").owesNo("start-turn");
    const third = second
      .replies({ question: id(second, 1), message: "cart" })
      .has({ lifecycle: "WAITING_HUMAN" });
    third.replies({ choice: "SQLite" }).has({ lifecycle: "RUNNING", questions: [] });
  });

  it("takes an answer without a name for the oldest question", () => {
    asking()
      .replies({ message: "the small one" })
      .has({
        questions: [{ text: /route/ }, { text: /name/ }],
        deliveries: [{ text: 'Answer to your question "Which database?": the small one' }],
      });
  });

  it("takes each answer once", () => {
    const scene = asking();
    const route = {
      type: "reply",
      actor: operator,
      question: id(scene, 1),
      message: "",
      choice: "keep",
    } as const;
    scene.does(route).tries(route).refuses("reply.no-question");
    scene.tries({ ...route, choice: "SQLite" }).refuses("reply.unknown-choice", { hint: /keep \| drop/ });
  });

  it("lets nobody hand over before the last answer", () => {
    const scene = asking().replies({ message: "the small one" });
    scene.tries(scene.pass()).refuses("bubble.waiting-human");
  });

  it("continues without answers when a person resumes it", () => {
    asking().resumes({ message: "decide yourself" }).has({ lifecycle: "RUNNING", questions: [] });
  });
});

describe("the answers", () => {
  it("are all in the next prompt when the process is gone, each with its question", () => {
    const gone = answersAll(asking().turnEnds("asked"));
    gone.has({
      lifecycle: "RUNNING",
      turn: { status: "due", failures: 0 },
      deliveries: [
        { text: /"Which name\?.*": about Which nam/s },
        { text: 'Answer to your question "Keep the old /v1 route?": about Keep the ' },
        { text: 'Answer to your question "Which database?": about Which dat' },
      ],
    });
    gone.turnStarts().has({ deliveries: [], notes: [/Which name/, /route/, /database/] });
  });

  it("are owed to a living process one by one, each under its own key", () => {
    const answered = answersAll(asking());
    expect(new Set(answered.state.deliveries.map(({ message }) => message)).size).toBe(3);
    answered.owes("deliver");
  });
});

describe("a process that waits for its answers", () => {
  it("has its own names for the request and the questions on the record", () => {
    asking({ waiting }).has({
      questions: [
        { waiting: { request: "request-7", question: "database" } },
        { waiting: { request: "request-7", question: "route" } },
        { waiting: { request: "request-7", question: "name" } },
      ],
    });
  });

  it("gets the plain answers under these names, without the words around them", () => {
    const scene = asking({ waiting });
    const answered = scene
      .replies({ question: id(scene, 1), choice: "drop" })
      .replies({ choice: "SQLite", message: "for now" })
      .replies({ message: "cart" });
    answered.has({ lifecycle: "RUNNING", turn: { status: "running", attempt: 1 } });
    expect(answered.state.deliveries.map(({ reply }) => reply)).toEqual([
      { request: "request-7", question: "route", text: "drop" },
      { request: "request-7", question: "database", text: "SQLite: for now" },
      { request: "request-7", question: "name", text: "cart" },
    ]);
  });

  it("may have names for some of its questions only; the others are told in words", () => {
    const scene = asking({ waiting: { request: "request-7", questions: ["database"] } });
    expect(scene.state.questions.map((question) => question.waiting?.question)).toEqual([
      "database",
      undefined,
      undefined,
    ]);
    expect(answersAll(scene).state.deliveries.filter(({ reply }) => reply)).toHaveLength(1);
  });

  it("that does not wait gets no such answer", () => {
    expect(answersAll(asking()).state.deliveries.some(({ reply }) => reply)).toBe(false);
  });

  it("that died meanwhile finds the answers in its next prompt instead", () => {
    const gone = answersAll(asking({ waiting }).turnEnds("crashed"));
    gone.has({ turn: { status: "due", failures: 1 } });
    gone.turnStarts().has({ deliveries: [], notes: [/Which name/, /route/, /database/] });
  });

  it("learns that a person resumed without an answer", () => {
    const resumed = asking({ waiting }).resumes();
    expect(resumed.state.deliveries[0]?.reply).toEqual({
      request: "request-7",
      question: "database",
      text: "The operator resumed without an answer; use your judgement and continue",
    });
  });
});

describe("the command that answers an agent", () => {
  const command = (options: readonly string[]) =>
    suggestAnswerCommand(pair().started().asks("Which?", { options }).state);

  it("names its options, quoted where a shell needs it", () => {
    expect(command(["before", "after tax", "don't"])).toBe(
      `pairflow bubble reply --id cart --choose before|'after tax'|'don'\\''t' --message "…"`,
    );
  });

  it("leaves out what would not fit on a line", () => {
    expect(command(["a".repeat(60), "b".repeat(60)])).toBe('pairflow bubble reply --id cart --message "…"');
  });
});
