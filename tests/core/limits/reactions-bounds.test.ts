// What the reactions to the ends of a turn come to: which session continues, how often all of them together try, and
// what the agent and the human are told.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasDiedWithDriver } from "../../../src/core/limits/reactions.ts";
import type { Turn } from "../../../src/core/model/state/turn.ts";
import type { State } from "../../../src/core/model/state.ts";
import { turnOutcomes } from "../../../src/core/model/turn-end.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { atWork, isAsked, resumes, untilAsked } from "../ends.ts";
import { configOf, pair, pairProgram } from "../pair.ts";

describe("a session", () => {
  it("is new after two failed attempts, of whatever kind, and the new one continues after that", () => {
    const twice = atWork().turnEnds("hung").turnStarts().turnEnds("crashed");
    expect(resumes(twice)).toBeUndefined();
    const third = twice.turnStarts({ session: "another" }).turnEnds("garbage");
    expect(resumes(third)).toBe("another");
  });

  it.each(["no-session", "context-overflow"] as const)(
    "that ended with %s is not resumed after a human's word either",
    (outcome) => {
      const asked = untilAsked(atWork(), outcome).at(-1)!;
      expect(resumes(asked.replies({ choice: "retry", message: "again" }))).toBeUndefined();
      expect(resumes(asked.resumes())).toBeUndefined();
    },
  );

  it("chosen by the CLI itself is the one that continues, in later turns of this role too", () => {
    const named = atWork().sessionIs("thread-7");
    expect(resumes(named.turnEnds("crashed"))).toBe("thread-7");
    named.has({ sessions: { "alice/implementer": "thread-7" } });
  });

  it("is told once, and only about the attempt that runs", () => {
    const named = atWork().sessionIs("thread-7");
    const tell = (attempt: number) =>
      ({ type: "turn-session", actor: driver, turn: "t1", attempt, session: "thread-8" }) as const;
    named.tries({ ...tell(1), session: "thread-7" }).refuses("driver.not-due");
    named.turnEnds("crashed").turnStarts().tries(tell(1)).refuses("driver.not-due");
  });
});

/** Ends that are nobody's failure. */
const harmless = ["answered", "superseded", "over-budget", "interrupted", "host-lost"];

describe("bounds", () => {
  it("of a crash are the step's own retries", () => {
    const program = pairProgram(configOf());
    const withRetries = (retries: number) => {
      const steps = program.steps.map((step) => (step.kind === "turn" ? { ...step, retries } : step));
      return untilAsked(
        pair({ program: { ...program, steps } })
          .started()
          .atWork(),
        "crashed",
      ).length;
    };
    expect([0, 1, 5].map(withRetries)).toEqual([1, 2, 6]);
  });

  it("of one kind are not used up by another kind", () => {
    const mixed = atWork()
      .turnEnds("garbage")
      .turnStarts()
      .turnEnds("unfinished")
      .turnStarts()
      .turnEnds("garbage");
    mixed.has({ lifecycle: "RUNNING", turn: { ends: { garbage: 2, unfinished: 1 } } });
    mixed.turnStarts().turnEnds("refused-tool").has({ lifecycle: "RUNNING" });
    mixed.turnStarts().turnEnds("garbage").has({ lifecycle: "WAITING_HUMAN" });
  });

  it("begin anew with the next turn", () => {
    const next = atWork().turnEnds("garbage").turnStarts().turnEnds("garbage").implements("T1").atWork();
    next.turnEnds("garbage").has({ lifecycle: "RUNNING", turn: { id: "t2", ends: { garbage: 1 } } });
  });

  it("hold for any mixture of ends: a human is asked before the thirtieth attempt", () => {
    const failing = fc.constantFrom(...turnOutcomes.filter((outcome) => !harmless.includes(outcome)));
    fc.assert(
      fc.property(fc.array(failing, { minLength: 30, maxLength: 30 }), (ends) => {
        let scene = atWork();
        for (const outcome of ends) {
          scene = scene.turnEnds(outcome);
          if (isAsked(scene)) return;
          scene = scene.turnStarts();
        }
        expect(scene.state.lifecycle).toBe("WAITING_HUMAN");
      }),
      { numRuns: 40 },
    );
  });
});

describe("an attempt that nobody saw end", () => {
  const turn = { startedAt: "2026-01-01T10:00:00.000Z" } as Turn;
  const driver = (at: string) => ({ driver: { at } }) as State;
  const later = driver("2026-01-01T10:05:00.000Z");

  it("went down with its driver, if an earlier one had started it", () => {
    expect(hasDiedWithDriver(later, turn, "crashed")).toBe(true);
    expect(hasDiedWithDriver(driver("2026-01-01T09:00:00.000Z"), turn, "crashed")).toBe(false);
  });

  it("has said something about its end otherwise, which counts", () => {
    expect(hasDiedWithDriver(later, turn, "quota")).toBe(false);
  });

  it("is the agent's own doing from the sixth time on", () => {
    expect(hasDiedWithDriver(later, { ...turn, ends: { superseded: 4 } }, "crashed")).toBe(true);
    expect(hasDiedWithDriver(later, { ...turn, ends: { superseded: 5 } }, "crashed")).toBe(false);
  });
});

describe("what follows an end", () => {
  it("is told to the agent: what was wrong with the attempt before", () => {
    const refused = atWork().turnEnds("garbage", { detail: "summary is missing" });
    refused.has({ turn: { problem: "summary is missing" } });
    refused.turnStarts().has({ turn: { problem: "summary is missing" } });
    expect(refused.turnStarts().turnEnds("superseded").turn).not.toHaveProperty("problem");
  });

  it("fits the record however long the agent's last words were", () => {
    const long = untilAsked(atWork(), "hung").at(-1)!;
    expect(long.state.questions[0]?.text.length).toBeLessThan(1_000);
    const ended = atWork().turnEnds("crashed", { detail: "x".repeat(100_000) });
    expect(ended.last("TURN_ENDED").payload.detail).toHaveLength(4_000);
  });

  it("is no second question while a human is asked already", () => {
    const both = atWork().asks("Which?").turnEnds("auth");
    both.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "agent" }] });
    both
      .replies({ message: "the first" })
      .turnStarts()
      .turnEnds("auth")
      .has({ questions: [{ kind: "lost-agent" }] });
  });
});

describe("silence of an agent without a terminal", () => {
  const silent = pair().started().turnStarts({ seat: "process" }).minutesLater(6);

  it("ends its turn as hung: there is no pane to look into", () => {
    silent
      .tries({ type: "watchdog", actor: driver })
      .then([
        {
          type: "TURN_ENDED",
          payload: { outcome: "hung", detail: /no sign of life for 5 min/, next: { session: "same" } },
        },
      ])
      .state({ lifecycle: "RUNNING", turn: { status: "due", failures: 1 } });
  });

  it("is a human's business the second time", () => {
    const again = silent
      .does({ type: "watchdog", actor: driver })
      .turnStarts({ seat: "process" })
      .minutesLater(6);
    again
      .does({ type: "watchdog", actor: driver })
      .has({ questions: [{ kind: "lost-agent", text: /hung/ }] });
  });

  it("is not seen while it prints; the whole time of the turn is a question all the same", () => {
    const busy = { type: "watchdog", actor: driver, lastSignAt: silent.minutesLater(24).at } as const;
    silent
      .minutesLater(25)
      .does(busy)
      .has({ questions: [{ kind: "watchdog" }], turn: { status: "running" } });
  });

  it("may not be ended by a person's command of that name before its time", () => {
    atWork().tries({ type: "watchdog", actor: operator }).refuses("watchdog.not-due");
  });
});
