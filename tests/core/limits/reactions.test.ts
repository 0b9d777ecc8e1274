// Every way a turn can end without handing over has its own bounded reaction, and a human behind the bound.
import { describe, expect, it } from "vitest";
import { type TurnOutcome, turnOutcomes } from "../../../src/core/model/turn-end.ts";
import { parseTime } from "../../../src/core/model/value/time.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { atWork, isAsked, resumes, untilAsked } from "../ends.ts";
import { pair, underReview } from "../pair.ts";

/** Seconds until the next try, 0 when it may begin at once. */
function pause(scene: Scenario): number {
  const { payload, ts } = scene.last("TURN_ENDED");
  const wait = payload.next?.not_before;
  return wait ? (parseTime(wait) - parseTime(ts)) / 1000 : 0;
}

interface Reaction {
  /** The session of each further try. */
  readonly sessions: readonly ("same" | "fresh")[];
  /** Seconds before each further try. */
  readonly pauses: readonly number[];
  /** What the human is told, behind "alice (implementer) ended without handing over". */
  readonly words: RegExp;
}

const minute = 60;
const bounded: Partial<Record<TurnOutcome, Reaction>> = {
  crashed: {
    sessions: ["same", "fresh"],
    pauses: [0, 2],
    words: /^ \(3 attempts\): crashed\. exit 1$/,
  },
  hung: { sessions: ["same"], pauses: [0], words: /^ \(2 attempts\): hung\. exit 1$/ },
  asked: { sessions: ["same", "fresh"], pauses: [0, 0], words: /^ \(3 attempts\): asked\. exit 1$/ },
  "no-session": {
    sessions: ["fresh", "fresh"],
    pauses: [0, 0],
    words: /^ \(3 attempts\): no-session\. exit 1$/,
  },
  "refused-tool": {
    sessions: ["same"],
    pauses: [0],
    words: /^ \(2 attempts\): refused-tool\. exit 1 It needs a tool it is not allowed to use: allow it/,
  },
  garbage: {
    sessions: ["same", "same"],
    pauses: [0, 0],
    words: /^ \(3 attempts\): garbage\. exit 1 Its answers are not in the form that was asked for/,
  },
  unfinished: {
    sessions: ["same", "same", "same", "same", "same"],
    pauses: [0, 0, 0, 0, 0],
    words: /^ \(6 attempts\): unfinished\. exit 1$/,
  },
  "rate-limited": {
    sessions: ["same", "same", "same", "same", "same", "same"],
    pauses: [5, 15, 45, 2 * minute, 5 * minute, 5 * minute],
    words: /^ \(7 attempts\): rate-limited\. exit 1 Its provider refuses requests for now/,
  },
  quota: {
    sessions: ["same", "same", "same"],
    pauses: [15 * minute, 30 * minute, 60 * minute],
    words: /^ \(4 attempts\): quota\. exit 1 Its account is used up; choose retry when .* fallback/,
  },
  "context-overflow": {
    sessions: ["fresh"],
    pauses: [0],
    words: /^ \(2 attempts\): context-overflow\. exit 1 .* in a new session too: make the task smaller/,
  },
  "too-much-output": {
    sessions: ["fresh"],
    pauses: [0],
    words: /^ \(2 attempts\): too-much-output\. exit 1 It prints without end, in a new session too/,
  },
  "unknown-model": {
    sessions: [],
    pauses: [],
    words: /^: unknown-model\. exit 1 Name a model that its account may use/,
  },
  misconfigured: {
    sessions: [],
    pauses: [],
    words: /^: misconfigured\. exit 1 Correct its settings in bubble\.toml/,
  },
  unreachable: {
    sessions: ["same"],
    pauses: [5],
    words: /^ \(2 attempts\): unreachable\. exit 1 Its provider cannot be reached/,
  },
  auth: { sessions: [], pauses: [], words: /^: auth\. exit 1 Log in with the agent's own CLI/ },
  // The same time once more would be no enforced limit: only a human, or the workflow, gives it.
  "timed-out": { sessions: [], pauses: [], words: /^: timed-out\. exit 1$/ },
};

describe.each(Object.entries(bounded) as [TurnOutcome, Reaction][])(
  "%s",
  (outcome, { sessions, pauses, words }) => {
    const ends = untilAsked(atWork(), outcome);
    const last = ends.at(-1)!;

    it(`is tried ${sessions.length} more times, then a human is asked`, () => {
      expect(ends.slice(0, -1).map((end) => end.last("TURN_ENDED").payload.next?.session)).toEqual(sessions);
      expect(last.last("TURN_ENDED").payload).not.toHaveProperty("next");
      last.has({
        lifecycle: "WAITING_HUMAN",
        turn: { status: "due", ends: { [outcome]: sessions.length + 1 } },
      });
      last.owesNo("start-turn");
    });

    it(`waits ${pauses.join(", ") || "for nobody"} s before each try`, () => {
      expect(ends.slice(0, -1).map(pause)).toEqual(pauses);
    });

    it("asks in words that say what a person can do", () => {
      const { question, kind, turn, options } = last.last("HUMAN_QUESTION").payload;
      expect({ kind, turn, keys: options?.map(({ key }) => key) }).toEqual({
        kind: "lost-agent",
        turn: "t1",
        keys: ["retry", "reject"],
      });
      const begin = "alice (implementer) ended without handing over";
      expect(question.startsWith(begin)).toBe(true);
      expect(question.slice(begin.length)).toMatch(words);
    });

    it("is started again by a human's word, and asks again at once when that did not help", () => {
      const again = last.replies({ choice: "retry", message: "try now" });
      again.has({ lifecycle: "RUNNING", deliveries: [{ text: "try now" }] });
      expect(isAsked(again.turnStarts().turnEnds(outcome))).toBe(true);
    });

    it("ends the bubble by a human's word", () => {
      last.replies({ choice: "reject", message: "not worth it" }).has({
        lifecycle: "CANCELLED",
        end: { message: /the human chose reject: not worth it/ },
      });
    });

    it("behaves the same for a critic", () => {
      const critic = untilAsked(underReview().atWork(), outcome);
      expect(critic.map((end) => end.last("TURN_ENDED").payload.next?.session)).toEqual([
        ...sessions,
        undefined,
      ]);
      expect(critic.at(-1)?.state.questions[0]?.text).toMatch(/^bob \(reviewer\)/);
    });
  },
);

describe("an end that says nothing against the agent", () => {
  const harmless = ["superseded", "over-budget", "interrupted"] as const;

  it.each(harmless)("is %s: it counts towards no bound and the same session continues", (outcome) => {
    const often = Array.from({ length: 12 }).reduce<Scenario>(
      (scene) => scene.turnEnds(outcome).turnStarts(),
      atWork(),
    );
    often.has({ lifecycle: "RUNNING", turn: { failures: 0, attempt: 13 } });
    expect(often.last("TURN_ENDED").payload.next).toEqual({ session: "same" });
    expect(often.turn).not.toHaveProperty("problem");
  });

  it("is asked, when a question was asked: the answer continues in the same session", () => {
    const asked = atWork().asks("Which?").turnEnds("asked");
    asked.has({
      lifecycle: "WAITING_HUMAN",
      turn: { status: "due", failures: 0 },
      questions: [{ kind: "agent" }],
    });
    const answered = asked.replies({ message: "the first" });
    expect(resumes(answered)).toBe("session-alice-implementer");
    expect(answered.turn).not.toHaveProperty("problem");
  });

  it("is answered, when the answer was accepted: there is nothing left to report", () => {
    const scene = atWork();
    const passed = scene.does(scene.pass());
    passed.has({ turn: { status: "claimed" } });
    passed
      .tries({ type: "turn-ended", actor: driver, ...passed.attempt, outcome: "answered", detail: "" })
      .refuses("driver.not-due");
  });

  it("is in one of the two tables, as every end is", () => {
    // Written with the claim of a driver on another machine only: see permission/driver-place.test.ts.
    const known = [...Object.keys(bounded), ...harmless, "answered", "host-lost"];
    expect(known.sort()).toEqual([...turnOutcomes].sort());
  });
});

describe("the moment that the agent's CLI names", () => {
  const inTwoHours = "2026-02-21T11:00:00.000Z";

  it.each(["quota", "rate-limited"] as const)("is waited for after %s, every time", (outcome) => {
    const ends = untilAsked(atWork(), outcome, { until: inTwoHours });
    const waits = ends.slice(0, -1).map((end) => end.last("TURN_ENDED").payload.next?.not_before);
    expect(new Set(waits)).toEqual(new Set([inTwoHours]));
    expect(ends[0]?.last("TURN_ENDED").payload.until).toBe(inTwoHours);
  });

  it.each(["2026-02-21T08:00:00.000Z", "tomorrow", ""])(
    "is no use when it is %j: the usual pause is",
    (until) => {
      expect(pause(atWork().turnEnds("rate-limited", { until }))).toBe(5);
    },
  );

  it("is known to whoever starts the turn, and over when it is started", () => {
    const waiting = atWork().turnEnds("quota", { until: inTwoHours });
    expect(waiting.owes("start-turn").turn.notBefore).toBe(inTwoHours);
    expect(waiting.turnStarts().turn).not.toHaveProperty("notBefore");
  });
});

describe("wait_for_quota = false", () => {
  it("asks at once when the account is used up", () => {
    const asked = atWork({ wait_for_quota: false }).turnEnds("quota", { until: "2026-02-21T11:00:00.000Z" });
    asked.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "lost-agent", text: /: quota\./ }] });
  });

  it("changes nothing about being asked to slow down", () => {
    atWork({ wait_for_quota: false }).turnEnds("rate-limited").has({ lifecycle: "RUNNING" });
  });
});

describe("an attempt whose CLI never told of a session", () => {
  const begun = () => pair().started().turnStarts({ fresh: true });

  it("is followed by one in a new session, and so is the next turn of that agent", () => {
    const ended = begun().turnEnds("crashed", { sessionless: true });
    expect(ended.last("TURN_ENDED").payload).toMatchObject({ sessionless: true, next: { session: "fresh" } });
    expect(resumes(ended)).toBeUndefined();
    expect(Object.values(ended.state.sessions)).toEqual([]);
  });

  it("leaves nothing to continue in for a human's retry either", () => {
    const ended = begun().turnEnds("auth", { sessionless: true });
    expect(isAsked(ended)).toBe(true);
    expect(resumes(ended)).toBeUndefined();
  });

  it("is no word against a session that an earlier attempt has begun", () => {
    const again = begun().turnEnds("crashed");
    const session = resumes(again);
    expect(session).toBeDefined();
    const ended = again
      .turnStarts({ session: session!, fresh: false })
      .turnEnds("hung", { sessionless: true });
    expect(ended.last("TURN_ENDED").payload).not.toHaveProperty("sessionless");
    expect(resumes(ended)).toBe(session);
  });
});
