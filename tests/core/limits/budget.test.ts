// Hard limits in tokens, money and minutes: reaching one ends the running turn, and a human says how it continues.
import { describe, expect, it } from "vitest";
import { findMinutesEnd, listBudgetLines, listSpentBudgets } from "../../../src/core/limits/budget.ts";
import { formatTime, parseTime } from "../../../src/core/model/value/time.ts";
import { buildUsageView } from "../../../src/core/views/bubble/usage.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { configOf, pair, readyForApproval } from "../pair.ts";

const look = { type: "check-budget", actor: driver } as const;
const reply = { type: "reply", actor: operator, message: "" } as const;
const tokens = (max: number) => ({ config: { budget: { max_tokens: max } } });
const much = { input: 900, output: 100 };

/** Alice is at work on her first turn and has used a thousand tokens, which is all there is. */
const spent = () => pair(tokens(1000)).started().atWork().uses(much);

const budgets = {
  max_tokens: { scene: spent, words: "1000 of 1000 tokens" },
  max_usd: {
    scene: () =>
      pair({ config: { budget: { max_usd: 2.5 } } })
        .started()
        .atWork()
        .uses({ ...much, usd: 2.6 }),
    words: "2.6 of 2.5 US dollars",
  },
  max_minutes: {
    scene: () =>
      pair({ config: { budget: { max_minutes: 30 } } })
        .started()
        .atWork()
        .minutesLater(30),
    words: "30.03 of 30 minutes",
  },
};

describe.each(Object.entries(budgets))("%s that is used up", (_name, { scene, words }) => {
  it("ends the running turn and asks a human", () => {
    scene()
      .tries(look)
      .then([
        {
          type: "TURN_ENDED",
          payload: {
            turn: "t1",
            attempt: 1,
            outcome: "over-budget",
            detail: `the budget is used up: ${words}`,
            next: { session: "same" },
          },
        },
        {
          type: "HUMAN_QUESTION",
          recipient: "human",
          payload: {
            kind: "budget",
            turn: "t1",
            question: `The budget of cart is used up: ${words}. How shall this continue?`,
            // Nothing was handed over yet that could be accepted.
            options: [{ key: "continue" }, { key: "reject" }],
          },
        },
      ])
      .state({ lifecycle: "WAITING_HUMAN", turn: { status: "due", failures: 0 } });
  });

  it("is shown with what was used of it", () => {
    const at = scene();
    expect(buildUsageView(at.state, at.at).budgets).toEqual(listSpentBudgets(at.state, at.at));
    expect(listSpentBudgets(at.state, at.at)).toHaveLength(1);
  });
});

describe("a budget", () => {
  it("is reached by the last token of it, and not before", () => {
    const nearly = pair(tokens(1000)).started().atWork().uses({ input: 900, output: 99 });
    nearly.tries(look).refuses("driver.not-due").leaves([]);
    spent().tries(look).accepted();
  });

  it("in money is not reached by tokens that nobody has priced", () => {
    const config = { budget: { max_usd: 0.01 } };
    pair({ config }).started().atWork().uses(much).tries(look).refuses("driver.not-due");
  });

  it("that nobody set is never reached", () => {
    pair()
      .started()
      .atWork()
      .uses({ input: 1e9, output: 1e9, usd: 1e6 })
      .minutesLater(9999)
      .tries(look)
      .refuses("driver.not-due");
  });

  it("is one of several: the question names all that are used up, and no other", () => {
    const config = { budget: { max_tokens: 10, max_usd: 5, max_minutes: 20 } };
    const both = pair({ config })
      .started()
      .atWork()
      .uses({ ...much, usd: 1 })
      .minutesLater(25)
      .budgetIsChecked();
    both.has({ questions: [{ text: /used up: 1000 of 10 tokens, 25\.05 of 20 minutes\./ }] });
  });

  it("may be raised or lowered while the bubble runs", () => {
    const config = (max_tokens: number) => configOf({ budget: { max_tokens } });
    const raised = spent().does({ type: "configure", actor: operator, config: config(5000) });
    raised.tries(look).refuses("driver.not-due");
    raised
      .does({ type: "configure", actor: operator, config: config(500) })
      .tries(look)
      .accepted();
  });

  it("cannot be looked after by an agent", () => {
    const scene = spent();
    scene.tries({ ...look, actor: scene.agent }).refuses("operator.inside-agent");
  });
});

describe("nothing is asked", () => {
  const refused = (scene: Scenario) => scene.tries(look).refuses("driver.not-due").leaves([]);

  it("twice", () => {
    refused(spent().budgetIsChecked().minutesLater(60));
  });

  it("while a human is asked something else", () => {
    refused(spent().asks("Which?"));
  });

  it("once a handover is claimed: it takes its course until somebody would spend more", () => {
    const scene = spent();
    const claimed = scene.does(scene.pass());
    refused(claimed);
    const gates = claimed.handsOver("T1");
    refused(gates);
    gates
      .gatesPass()
      .tries(look)
      .then([{ type: "HUMAN_QUESTION", payload: { kind: "budget", turn: "t2" } }]);
  });

  it("when all is done but the signature", () => {
    const ready = readyForApproval(tokens(1000));
    refused(ready.does({ type: "usage", actor: driver, turn: "t3", attempt: 1, usage: much }));
  });
});

describe("the question about the budget", () => {
  it("needs a choice: it is passed over neither by words nor by resume", () => {
    const asked = spent().budgetIsChecked();
    asked
      .tries({ ...reply, message: "continue" })
      .refuses("reply.needs-choice", { details: /continue: .*\nreject: / });
    asked.tries({ type: "resume", actor: operator, message: "" }).refuses("resume.needs-choice");
    asked.tries({ ...reply, choice: "retry" }).refuses("reply.unknown-choice");
  });

  it("is no agent's to answer, and no pass gets round it", () => {
    const scene = spent();
    const asked = scene.budgetIsChecked();
    asked.tries({ ...reply, choice: "continue", actor: scene.agent }).refuses("operator.inside-agent");
    asked.tries({ ...reply, choice: "continue", actor: driver }).refuses("operator.driver");
    asked.tries(scene.pass()).refuses("bubble.waiting-human");
  });
});

describe("a turn under way", () => {
  it("is weighed with what it says it has used so far, which is not on the record yet", () => {
    const scene = pair(tokens(1000)).started().atWork();
    const weigh = (input: number) => listSpentBudgets(scene.state, scene.at, { input, output: 0 });
    expect(weigh(999)).toEqual([]);
    expect(weigh(1000)).toEqual([{ name: "max_tokens", used: 1000, limit: 1000 }]);
    expect(scene.state.spent.total.input).toBe(0);
  });

  it("is weighed on top of all turns before it", () => {
    const config = { budget: { max_tokens: 1000, max_usd: 3, max_minutes: 60 } };
    const second = pair({ config })
      .started()
      .atWork()
      .uses({ ...much, usd: 1 })
      .minutesLater(20)
      .implements("T1")
      .atWork();
    const at = formatTime(parseTime(second.at) + 10 * 60_000);
    const lines = listBudgetLines(second.state, at, { input: 10, output: 5, usd: 0.5 });
    expect(lines.map(({ name, used }) => [name, Math.round(used * 10) / 10])).toEqual([
      ["max_tokens", 1015],
      ["max_usd", 1.5],
      ["max_minutes", 30.1],
    ]);
  });

  it("has no end by minutes where none are set, or while it does not run", () => {
    expect(findMinutesEnd(pair().started().atWork().state)).toBeUndefined();
    const config = { budget: { max_minutes: 30 } };
    expect(findMinutesEnd(pair({ config }).started().state)).toBeUndefined();
    expect(findMinutesEnd(pair({ config }).started().asks("Which?").state)).toBeUndefined();
  });
});

describe("a limit that is switched off", () => {
  it("is none, beside one that is set", () => {
    const budget = { max_tokens: 1000, max_minutes: "off" as const };
    const scene = pair({ config: { budget } }).started().atWork().minutesLater(600);
    expect(listBudgetLines(scene.state, scene.state.lastAt).map(({ name }) => name)).toEqual(["max_tokens"]);
    expect(findMinutesEnd(scene.state)).toBeUndefined();
  });
});
