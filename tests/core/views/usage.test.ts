// What turns used, by their CLIs' own figures: summed, priced only where there is a price, and never guessed.
import { describe, expect, it } from "vitest";
import { buildInboxView } from "../../../src/core/views/bubble/inbox.ts";
import {
  buildUsageView,
  formatDollars,
  formatTokens,
  formatUsage,
} from "../../../src/core/views/bubble/usage.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { p1, pair } from "../pair.ts";

const atWork = (config = {}) => pair({ config }).started().atWork();
const view = (scene: Scenario) => buildUsageView(scene.state, scene.at);
const few = { input: 100, output: 20 };

/** Prices in US dollars for a million tokens. */
const rates = (input: unknown, output: unknown) => ({
  agent: { alice: { adapter: "codex", usd_per_million_input: input, usd_per_million_output: output } },
});

describe("the sums", () => {
  it("are those of all attempts, for each agent and in total", () => {
    const second = atWork().uses(few).turnEnds("crashed").turnStarts().uses({ input: 1000, output: 50 });
    const reviewed = second.implements("T1").atWork().uses({ input: 7, output: 3 });
    reviewed.has({
      spent: {
        total: { input: 1107, output: 73 },
        byAgent: { alice: { input: 1100, output: 70 }, bob: { input: 7, output: 3 } },
      },
    });
  });

  it("tell what came from a cache as soon as one attempt says so", () => {
    const none = atWork().uses(few);
    expect(none.state.spent.total).not.toHaveProperty("cached");
    none
      .turnEnds()
      .turnStarts()
      .uses({ ...few, cached: 60 })
      .has({ spent: { total: { input: 200, cached: 60 } } });
  });

  it("keep the newest word about how full the model's window is", () => {
    const full = atWork()
      .uses({ ...few, context: 0.9 })
      .turnEnds()
      .turnStarts()
      .uses({ ...few, context: 0.4 });
    full.has({ spent: { byAgent: { alice: { context: 0.4 } } } });
  });

  it("name each agent's role on the record", () => {
    expect(atWork().uses(few).last("TURN_USAGE").payload).toEqual({
      turn: "t1",
      attempt: 1,
      agent: "alice",
      role: "implementer",
      usage: few,
    });
  });

  it("belong to the agent that used them when another one takes the turn over", () => {
    const config = { agent: { alice: { adapter: "claude", fallback: "carol" } } };
    const taken = atWork(config).uses(few).turnEnds("auth").turnStarts().uses({ input: 1, output: 1 });
    taken.has({ spent: { byAgent: { alice: few, carol: { input: 1, output: 1 } } } });
  });
});

describe("money", () => {
  it("is what the CLI reports, whatever rates are configured", () => {
    const told = atWork(rates(10, 100)).uses({ ...few, usd: 0.25 });
    told.has({ spent: { total: { usd: 0.25 } } });
  });

  it("is counted by configured rates where the CLI reports none", () => {
    const priced = atWork(rates(10, 100)).uses({ input: 200_000, output: 3_000, cached: 100_000 });
    expect(priced.last("TURN_USAGE").payload.usage.usd).toBeCloseTo(2.3, 10);
    expect(view(priced).usd).toBeCloseTo(2.3, 10);
  });

  it("may be nothing at all, which is known and not unknown", () => {
    atWork(rates(0, 0))
      .uses(few)
      .has({ spent: { total: { usd: 0 }, unpriced: 0 } });
  });

  it.each([
    ["no rate", {}],
    ["one rate alone", rates(10, undefined)],
    ["a rate that is no number", rates("10", "100")],
  ])("stays unknown with %s", (_what, config) => {
    const scene = atWork(config).uses(few);
    expect(scene.state.spent.total).not.toHaveProperty("usd");
    expect(view(scene).usd).toBeNull();
  });

  it("of one agent is not guessed for another", () => {
    const reviewed = atWork(rates(10, 100)).uses(few).implements("T1").atWork().uses(few);
    expect(reviewed.state.spent.byAgent.bob).not.toHaveProperty("usd");
  });

  it.each([
    ["before", [{ ...few, usd: 1 }, few]],
    ["after", [few, { ...few, usd: 1 }]],
  ])(
    "is marked as incomplete by an attempt without a price, also %s one that has it",
    (_when, [first, second]) => {
      const both = atWork().uses(first!).turnEnds().turnStarts().uses(second!);
      expect(view(both)).toMatchObject({ usd: 1, unpriced_attempts: 1 });
    },
  );

  it("is not called incomplete where nobody has a price", () => {
    expect(view(atWork().uses(few)).unpriced_attempts).toBe(0);
  });
});

describe("an attempt without figures", () => {
  it("is counted as unknown when it ends, however it ends", () => {
    atWork().has({ spent: { unknown: 0 } });
    atWork()
      .turnEnds("crashed")
      .has({ spent: { unknown: 1 } });
    const scene = atWork();
    scene.does(scene.pass()).has({ spent: { unknown: 1, total: { input: 0, output: 0 } } });
    atWork()
      .uses(few)
      .turnEnds("crashed")
      .has({ spent: { unknown: 0 } });
  });

  it("is known after all when its figures come after the claim", () => {
    const scene = atWork();
    const late = scene.does(scene.pass()).uses(few);
    late.has({ spent: { unknown: 0, total: few, byAgent: { alice: few } } });
  });

  it("is known after all when its figures come in the next agent's turn", () => {
    const reviewing = atWork().implements("T1").atWork();
    reviewing.uses(few, { turn: "t1" }).has({
      spent: { unknown: 0, byAgent: { alice: few } },
      turn: { id: "t2", status: "running" },
    });
  });

  it("is known after all when its figures come while the next attempt runs, which has its own", () => {
    const second = atWork().turnEnds().turnStarts();
    const both = second
      .uses(few, { attempt: 1 })
      .has({ spent: { unknown: 0, total: few } })
      .uses(few);
    both.has({ spent: { unknown: 0, total: { input: 200, output: 40 } } });
  });

  it("is shown as such", () => {
    expect(view(atWork().turnEnds())).toMatchObject({ unknown_attempts: 1, usd: null });
  });
});

describe("figures", () => {
  it("of an attempt count once", () => {
    const scene = atWork().uses(few);
    scene.tries(scene.usage({ input: 999, output: 999 })).refuses("driver.not-due");
    const ended = scene.turnEnds();
    ended.tries(ended.usage(few)).refuses("driver.not-due");
    ended.turnStarts().tries(ended.usage(few)).refuses("driver.not-due");
    const passed = scene.does(scene.pass());
    passed.tries(passed.usage(few)).refuses("driver.not-due");
  });

  it("of a turn that never was, or of an attempt to come, count for nothing", () => {
    const scene = atWork();
    scene.tries(scene.usage(few, { turn: "t9" })).refuses("driver.not-due");
    scene.tries(scene.usage(few, { attempt: 2 })).refuses("driver.not-due");
  });

  it("of a turn long ago count for nothing", () => {
    const third = atWork()
      .implements("T1")
      .reviews({ findings: [p1] })
      .atWork();
    third.tries(third.usage(few, { turn: "t1", attempt: 1 })).refuses("driver.not-due");
  });

  it("cannot be given by the agent itself", () => {
    const scene = atWork();
    scene.tries({ ...scene.usage(few), actor: scene.agent } as never).refuses("operator.inside-agent");
  });

  it.each([
    { input: -1, output: 0 },
    { input: Number.NaN, output: 0 },
    { input: 0, output: Number.POSITIVE_INFINITY },
    { input: 0, output: 0, usd: -0.1 },
  ])("that cannot be are refused: %j", (usage) => {
    const scene = atWork();
    scene.tries(scene.usage(usage)).refuses("command.malformed");
  });
});

describe("what people see", () => {
  it("are the sums, with null for what nobody knows", () => {
    expect(view(atWork().uses(few).turnEnds().turnStarts())).toEqual({
      tokens: { input: 100, output: 20, cached: null },
      usd: null,
      minutes: 0.08,
      by_agent: { alice: few },
      unknown_attempts: 0,
      unpriced_attempts: 0,
      budgets: [],
    });
  });

  it("stands with every question in the inbox, once anything is known", () => {
    expect(buildInboxView(atWork().asks("Which?").state)[0]).not.toHaveProperty("spent");
    expect(buildInboxView(atWork().uses(few).asks("Which?").state)[0]?.spent).toBe("100 in, 20 out");
  });

  it("is short in words", () => {
    expect(formatUsage(few)).toBe("100 in, 20 out");
    expect(
      formatUsage({ input: 12_340, cached: 8_000, output: 1_500_000, usd: 0.1234, context: 0.456 }),
    ).toBe("12.3k in (8.0k cached), 1.50M out · $0.1234 · context 46 % full");
    expect([0, 999, 1_000, 999_499, 1_000_000].map(formatTokens)).toEqual([
      "0",
      "999",
      "1.0k",
      "999.5k",
      "1.00M",
    ]);
    expect([0, 0.5, 1, 12.345].map(formatDollars)).toEqual(["$0.0000", "$0.5000", "$1.00", "$12.35"]);
  });
});
