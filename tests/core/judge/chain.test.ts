// A chain of critics that continues after an objection: whose turn is next, when it begins again, and when all have passed
// one and the same tree.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../../src/core/bubble/evolve.ts";
import { advanceChainProgress } from "../../../src/core/judge/chain.ts";
import type { Opinion } from "../../../src/core/model/review/verdict.ts";
import type { ChainProgress } from "../../../src/core/model/run.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { chained, chainOf, defect, objects, passes } from "../phase-scene.ts";

const who = (scene: Scenario) => scene.turn.agent;
const step = (scene: Scenario) => scene.state.position.step;
const restarts = (scene: Scenario) => chainOf(scene.state).restarts;
const isAsked = (scene: Scenario, kind: string) => scene.state.questions.some((one) => one.kind === kind);

/** Clean passes until nobody of the chain is asked any more. */
function allPass(scene: Scenario): Scenario {
  let at = scene;
  for (let i = 0; i < 10 && at.state.turn?.role === "judge"; i++) at = passes(at);
  return at;
}

describe("a chain that continues", () => {
  it("asks one critic after the other, and is passed when all have passed this tree", () => {
    const built = chained().hands("T1");
    expect(who(built)).toBe("ann");
    const twice = passes(built);
    expect(who(twice)).toBe("ben");
    const gate = passes(twice);
    expect(who(gate)).toBe("cleo");
    const done = passes(gate);
    expect(step(done)).toBe("approval");
    expect(chainOf(done.state)).toMatchObject({ restarts: 0, passed: { 0: "T1", 1: "T1", 2: "T1" } });
  });

  it("continues with the next critic after an objection, not with the same one", () => {
    const mended = objects(chained().hands("T1"));
    expect(who(mended)).toBe("wim");
    const next = mended.hands("T2");
    expect(who(next)).toBe("ben");
    expect(restarts(next)).toBe(0);
  });

  it("begins again when the gate objects", () => {
    const gate = passes(passes(chained().hands("T1")));
    const again = objects(gate).hands("T2");
    expect(who(again)).toBe("ann");
    expect(restarts(again)).toBe(1);
  });

  it("asks those again, in order, who have not passed the very tree that the gate has passed", () => {
    const gate = objects(objects(chained().hands("T1")).hands("T2")).hands("T3");
    expect(who(gate)).toBe("cleo");
    const first = passes(gate);
    expect(who(first)).toBe("ann");
    const second = passes(first);
    expect(who(second)).toBe("ben");
    expect(step(passes(second))).toBe("approval");
  });

  it("asks only those again who have not passed it", () => {
    const gate = objects(passes(chained().hands("T1"))).hands("T1", {
      noChange: "it is right",
      disputes: [],
    });
    expect(who(gate)).toBe("cleo");
    const again = passes(gate);
    expect(who(again)).toBe("ben");
    expect(step(passes(again))).toBe("approval");
  });

  it("begins again when one who is asked again objects", () => {
    const again = passes(objects(objects(chained().hands("T1")).hands("T2")).hands("T3"));
    const mended = objects(passes(again)).hands("T4");
    expect(who(mended)).toBe("ann");
    expect(restarts(mended)).toBe(1);
    const last = passes(passes(mended));
    expect(who(last)).toBe("cleo");
    expect(step(passes(last))).toBe("approval");
  });

  it("continues with the next critic when its producer disputes and changes nothing", () => {
    const asked = objects(chained().hands("T1"), "Total is wrong");
    const { id } = asked.state.findings[0] ?? { id: "" };
    const next = asked.hands("T1", {
      noChange: "the total is right",
      disputes: [{ id, reason: "it is right" }],
    });
    expect(who(next)).toBe("ben");
    const upheld = next.judges({
      noFindings: true,
      answers: [{ id, status: "open", reason: "it is wrong" }],
    });
    expect(isAsked(upheld, "dispute")).toBe(true);
    expect(who(upheld.replies({ choice: "uphold" }).hands("T2"))).toBe("cleo");
  });

  it("knows an agent that sits at two places of the chain by its place", () => {
    const names = ["first", "second", "first"];
    const gate = passes(objects(chained({ names }).hands("T1")).hands("T2"));
    expect(who(gate)).toBe("ann");
    const again = passes(gate);
    expect(who(again)).toBe("ann");
    expect(chainOf(again.state)).toMatchObject({ next: 0, passed: { 1: "T2", 2: "T2" } });
    expect(step(passes(again))).toBe("approval");
  });

  it("of one critic has a gate and nothing else", () => {
    const again = objects(chained({ names: ["gate"] }).hands("T1")).hands("T2");
    expect(restarts(again)).toBe(1);
    expect(step(passes(again))).toBe("approval");
  });
});

describe("the limit of the chain", () => {
  /** The gate objects so many times. */
  const refusedTimes = (times: number, rounds: number): Scenario => {
    let scene = chained({ rounds });
    for (let i = 1; i <= times; i++) scene = objects(passes(passes(scene.hands(`T${i}`))));
    return scene;
  };

  it("counts how often it began again, and is asked about at exactly the limit", () => {
    expect(who(refusedTimes(2, 3))).toBe("wim");
    const spent = refusedTimes(3, 3);
    expect(step(spent)).toBe("exceeded");
    expect(isAsked(spent, "exhausted")).toBe(true);
    expect(spent.state.position.why).toContain("the chain of reviewers has failed 3 times");
  });

  it("does not count objections before the gate", () => {
    let scene = chained({ rounds: 1 });
    scene = objects(objects(scene.hands("T1")).hands("T2")).hands("T3");
    expect(who(scene)).toBe("cleo");
  });

  it("is put off by as many rounds as a human gives", () => {
    let scene = refusedTimes(2, 2).replies({ choice: "continue", rounds: 2 });
    for (const tree of ["T5", "T6"]) {
      expect(who(scene)).toBe("wim");
      scene = objects(passes(passes(scene.hands(tree))));
    }
    expect(step(scene)).toBe("exceeded");
    const once = scene.replies({ choice: "continue" });
    expect(step(objects(passes(passes(once.hands("T7")))))).toBe("exceeded");
  });
});

describe("turns of the producer in a row", () => {
  const red = (scene: Scenario, tree: string, summary = "done") => {
    const ready = scene.atWork();
    return ready.does(ready.pass({ summary })).handsOver(tree).gatesFail();
  };

  it("are counted until there is something to review, and asked about at exactly the limit", () => {
    const twice = red(red(chained({ attempts: 3 }), "T1"), "T2");
    expect(who(twice)).toBe("wim");
    const spent = red(twice, "T3");
    expect(step(spent)).toBe("exceeded");
    expect(spent.state.position.why).toContain("all its 3 turns in a row");
    expect(restarts(spent)).toBe(0);
    expect(step(red(spent.replies({ choice: "continue" }), "T4"))).toBe("exceeded");
  });

  it("are all that a human grants where they are used up: the chain begins again no more often for it", () => {
    const spent = red(chained({ attempts: 1, rounds: 1 }), "T1");
    expect(spent.state.questions[0]?.text).toContain("the producer has had its only turn");
    const more = spent.replies({ choice: "continue", rounds: 5 });
    const gate = passes(passes(more.hands("T2")));
    const refused = objects(gate);
    expect(step(refused)).toBe("exceeded");
    expect(refused.state.questions[0]?.text).toContain("the chain of reviewers has failed once");
    // And what is granted to the chain gives the producer no turns in a row.
    expect(step(red(refused.replies({ choice: "continue", rounds: 5 }), "T3"))).toBe("exceeded");
  });

  it("that were granted are gone with the next review", () => {
    const more = red(chained({ attempts: 1 }), "T1").replies({ choice: "continue", rounds: 5 });
    expect(step(red(objects(more.hands("T2")), "T3"))).toBe("exceeded");
  });

  it("begin anew after a review", () => {
    const reviewed = objects(red(chained({ attempts: 2 }), "T1").hands("T2"));
    expect(who(red(reviewed, "T3"))).toBe("wim");
    expect(step(red(red(reviewed, "T3"), "T4"))).toBe("exceeded");
  });

  it("count where the promise is missing, and the promise is no approval", () => {
    const silent = chained({ attempts: 2, promised: true }).hands("T1");
    expect(who(silent)).toBe("wim");
    const summary = "all of it <promise>IMPLEMENTATION_COMPLETE</promise>";
    expect(who(silent.hands("T2", { summary }))).toBe("ann");
    expect(step(silent.hands("T2"))).toBe("exceeded");
  });

  it("that promise in one round have not promised in the next", () => {
    const summary = "<promise>IMPLEMENTATION_COMPLETE</promise>";
    const asked = objects(chained({ attempts: 3, promised: true }).hands("T1", { summary }));
    expect(who(asked.hands("T2"))).toBe("wim");
  });

  it("may have a limit with a reference in it", () => {
    const attempts = "${trigger.payload.most:-2}";
    const scene = chained({ attempts }, { payload: { most: 1 } });
    expect(step(red(scene, "T1"))).toBe("exceeded");
  });
});

describe("without such a limit", () => {
  const simple = (rounds = 2) => chained({ rounds });
  const red = (scene: Scenario, tree: string) => {
    const ready = scene.atWork();
    return ready.does(ready.pass()).handsOver(tree).gatesFail();
  };

  it("red gates count as a beginning of the chain", () => {
    const once = red(simple(), "T1");
    expect(restarts(once)).toBe(1);
    expect(who(once)).toBe("wim");
    expect(step(red(once, "T2"))).toBe("exceeded");
  });

  it("a tree that stays red counts too, once, although its gates are run a second time", () => {
    const once = red(simple(), "T1").atWork();
    const idle = once.does(once.pass({ noChange: "it is right" })).handsOver("T1");
    const asked = idle.does(idle.gateRun({ test: "failed" }));
    expect(restarts(asked)).toBe(2);
    expect(step(asked.replies({ choice: "rework", message: "fix it" }))).toBe("exceeded");
  });

  it("gates that judged another tree than they were given, or could not run, count for nothing", () => {
    const ready = simple().atWork();
    const made = ready.does(ready.pass()).handsOver("T1");
    const changed = made.does(made.gateRun({ test: "failed" }, { changed: ["src/cart.ts"] }));
    expect(restarts(changed)).toBe(0);
    expect(restarts(made.does(made.gateRun({ test: "error" })))).toBe(0);
  });

  it("a red gate that a human has waived counts for nothing", () => {
    const ready = simple()
      .atWork()
      .does({
        type: "waive",
        actor: { kind: "operator", via: "terminal" },
        gates: ["test"],
        reason: "flaky",
      });
    const made = ready.does(ready.pass()).handsOver("T1").gatesFail();
    expect(restarts(made)).toBe(0);
    expect(who(made)).toBe("ann");
  });
});

describe("a review that is not sure", () => {
  const opinion: Opinion = {
    dialect: "findings",
    decision: "approve",
    confidence: 0.1,
    patterns: [],
    sop_review: [],
  };
  const asked = (scene: Scenario) => scene.judges({ opinion });

  it("counts for nothing until a human trusts it", () => {
    const doubt = asked(chained().hands("T1"));
    expect(isAsked(doubt, "unsure")).toBe(true);
    expect(chainOf(doubt.state)).toMatchObject({ next: 0, passed: {} });
    const trusted = doubt.replies({ choice: "trust", message: "I have looked" });
    expect(who(trusted)).toBe("ben");
    expect(chainOf(trusted.state)).toMatchObject({ next: 1, passed: { 0: "T1" } });
  });

  it("is given by the same critic once more when a human wants it", () => {
    const again = asked(chained().hands("T1")).replies({ choice: "again" });
    expect(who(again)).toBe("ann");
    const gate = asked(passes(passes(again))).replies({ choice: "again" });
    expect(who(gate)).toBe("cleo");
    expect(step(passes(gate))).toBe("approval");
  });

  it("and objects, makes the chain begin again only when it is trusted", () => {
    const gate = passes(passes(chained().hands("T1")));
    const doubt = gate.judges({
      findings: [defect("Total is wrong")],
      opinion: { ...opinion, decision: "revise" },
    });
    expect(isAsked(doubt, "unsure")).toBe(true);
    expect(restarts(doubt)).toBe(0);
    const trusted = doubt.replies({ choice: "trust", message: "it is right" });
    expect(restarts(trusted)).toBe(1);
    expect(who(trusted)).toBe("wim");
  });
});

describe("a result that a human sends back", () => {
  it("is judged by the whole chain again, even if nothing was changed", () => {
    const ready = allPass(chained().hands("T1")).packageWritten();
    const back = ready.reworks("the other total too");
    expect(who(back)).toBe("wim");
    const same = back.hands("T1", { noChange: "it is there" });
    expect(who(same)).toBe("ann");
    expect(who(passes(back.hands("T2")))).toBe("ben");
    expect(step(allPass(same))).toBe("approval");
  });
});

describe("whatever the critics say", () => {
  const histories = fc.array(fc.record({ clean: fc.boolean(), change: fc.nat(3) }), { maxLength: 40 });

  interface Said {
    readonly chain?: ChainProgress;
    readonly tree: string;
    /** The newest review of each place. */
    readonly newest: readonly ({ clean: boolean; tree: string } | undefined)[];
  }

  function reviewed(said: Said, { clean, change }: { clean: boolean; change: number }, length: number): Said {
    const at = said.chain?.next ?? 0;
    if (at >= length) return said;
    const { tree } = said;
    const chain = advanceChainProgress(said.chain, { clean, tree }, length);
    const newest = said.newest.with(at, { clean, tree });
    const isPassed = newest.every((one) => one?.clean === true && one.tree === tree);
    expect(newest.every((_, i) => chain.passed[String(i)] === tree)).toBe(isPassed);
    expect(isPassed || chain.next < length).toBe(true);
    expect(chain.restarts - (said.chain?.restarts ?? 0)).toBeLessThanOrEqual(clean ? 0 : 1);
    return { chain, newest, tree: clean ? tree : `T${change}` };
  }

  it("the chain is passed only if the newest review of each is clean and of exactly this tree", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), histories, (length, reviews) => {
        const begun: Said = { tree: "T0", newest: Array.from({ length }) };
        reviews.reduce((said, review) => reviewed(said, review, length), begun);
      }),
      { numRuns: 500 },
    );
  });

  /** One more word in a run: a human gives a round, the worker hands over, or a critic speaks. */
  function says(scene: Scenario, roll: number, made: number): Scenario {
    if (scene.state.lifecycle === "WAITING_HUMAN") return scene.replies({ choice: "continue", rounds: 1 });
    if (scene.state.turn?.role === "worker")
      return scene.hands(roll > 3 ? "T1" : `T${made}`, { noChange: "it is right" });
    if (scene.state.turn?.role !== "judge") return scene;
    return roll > 1 ? passes(scene) : objects(scene);
  }

  /** The newest review of each critic, from the record alone. */
  function newestReviews({ log }: Scenario): { clean: boolean; tree: string }[] {
    const newest = new Map<string, { clean: boolean; tree: string }>();
    let said: { agent: string; clean: boolean } | undefined;
    for (const { type, sender, payload } of log) {
      if (type === "PASS" && ["ann", "ben", "cleo"].includes(sender))
        said = { agent: sender, clean: ((payload as { findings?: unknown[] }).findings ?? []).length === 0 };
      if (type === "HANDOFF" && said) {
        newest.set(said.agent, { clean: said.clean, tree: (payload as { tree: string }).tree });
        said = undefined;
      }
    }
    return [...newest.values()];
  }

  it("a run never asks for approval without that, and its log tells the same again from any line", () => {
    const rolls = fc.array(fc.nat(5), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rolls, fc.nat(500), (dice, cut) => {
        let scene = chained({ rounds: 2 }).hands("T1");
        for (const [i, roll] of dice.entries()) scene = says(scene, roll, i + 2);
        const { log, state } = scene;
        if (step(scene) === "approval")
          expect(newestReviews(scene)).toEqual([1, 2, 3].map(() => ({ clean: true, tree: state.tree?.id })));
        const prefix = log.slice(0, 1 + (cut % log.length));
        expect(fold(log.slice(prefix.length), fold(prefix))).toEqual(state);
      }),
      { numRuns: 60 },
    );
  });
});
