// What holds for every history, not only for those somebody thought of.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/core/bubble/decide.ts";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { evolve, fold } from "../../../src/core/bubble/evolve.ts";
import { isFinal, mayMove } from "../../../src/core/bubble/lifecycle.ts";
import { checkProfile, listCleanPasses, listRedGates } from "../../../src/core/judge/convergence.ts";
import { getRoundLimit } from "../../../src/core/limits/rounds.ts";
import { type Envelope, parseEnvelope, placeDrafts } from "../../../src/core/model/record/envelope.ts";
import { payloads } from "../../../src/core/model/record/payloads.ts";
import type { State } from "../../../src/core/model/state.ts";
import { listOpenBlocking, listOpenFindings } from "../../../src/core/state/severity.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";
import { submitCommand } from "../../../src/testing/given.ts";
import { pair } from "../pair.ts";
import { badOptions } from "../question-options.ts";
import { type Dice, dice, nextCommand } from "../walk.ts";
import { linesOfWorkflows } from "../walk-steps.ts";

const soak = process.env.PAIRFLOW_SOAK === "1" ? 20 : 1;
/** A third of them in the suite, with other dice in every run; the campaign has the rest. */
const runs = (n: number) => ({ numRuns: soak === 1 ? Math.ceil(n / 3) : n * soak });

interface Played {
  readonly log: readonly Envelope[];
  readonly state: State;
  /** The state after each command. */
  readonly states: readonly State[];
}

const fresh = (rounds: number) =>
  pair({
    config: { max_rounds: rounds, scope: { do_not_touch: ["secret/**"] }, budget: { max_tokens: 20_000 } },
  });
const beginnings = [1, 2, 8].map(fresh);

/** Plays the dice from a fresh bubble; time continues by up to ten minutes a command. */
function play(rolls: readonly Dice[], endless = false): Played {
  const start = beginnings[(rolls[0]?.a ?? 0) % beginnings.length]!;
  const log: Envelope[] = [...start.log];
  const states: State[] = [start.state];
  let state = start.state;
  let clock = Date.parse(start.at);
  for (const roll of rolls) {
    clock += (roll.b % 100) * 6000;
    const { written } = submitCommand(
      log,
      state,
      nextCommand(state, roll, endless),
      new Date(clock).toISOString(),
    );
    log.push(...written);
    for (const envelope of written) state = evolve(state, envelope);
    states.push(state);
  }
  return { log, state, states };
}

const histories = fc.array(dice, { minLength: 20, maxLength: 120, size: "max" });
const keys = (state: State) => listDueEffects(state).map((effect) => effect.key);
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe("any sequence of commands", () => {
  it("leaves a log that folds, and every prefix of it is a valid state", () => {
    fc.assert(
      fc.property(histories, (rolls) => {
        const { log, state } = play(rolls);
        let so: State | undefined;
        for (const [i, envelope] of log.entries()) {
          const before: State | undefined = so;
          so = evolve(so, envelope);
          expect(so.seq).toBe(i + 1);
          expect(
            !before || before.lifecycle === so.lifecycle || mayMove(before.lifecycle, so.lifecycle),
          ).toBe(true);
          listDueEffects(so);
        }
        expect(so).toEqual(state);
      }),
      runs(40),
    );
  });

  it("keeps these promises in every state", () => {
    fc.assert(
      fc.property(histories, (rolls) => {
        for (const state of play(rolls).states) assertSound(state);
      }),
      runs(40),
    );
  });

  it("converges only on evidence", () => {
    fc.assert(
      fc.property(histories, (rolls) => {
        const { log } = play(rolls);
        let state: State | undefined;
        for (const [i, envelope] of log.entries()) {
          state = evolve(state, envelope);
          if (envelope.type === "STEP_ADVANCED" && envelope.payload.outcome === "converged")
            assertConverged(state);
          if (envelope.type === "COMMITTED") assertSigned(log.slice(0, i), envelope.payload.tree);
        }
      }),
      runs(40),
    );
  });

  it("can be shown to people at any point", () => {
    fc.assert(
      fc.property(histories, (rolls) => {
        const { log, states } = play(rolls);
        explain(log);
        for (const envelope of log) buildTimelineRow(envelope);
        for (const state of states) buildStatusView(state, { now: state.lastAt });
      }),
      runs(15),
    );
  });
});

describe("the dice", () => {
  it("reach every question, every way a step ends, and every end", () => {
    const kinds = [
      "agent",
      "budget",
      "dispute",
      "exhausted",
      "gates",
      "lost-agent",
      "refused",
      "stuck",
      "tie-break",
      "tree-changed",
      "undelivered",
      "watchdog",
    ];
    const outcomes = [
      "accept",
      "continue",
      "converged",
      "dispute",
      "fail",
      "fix",
      "kept",
      "package",
      "refused",
      "retry",
      "review",
      "revise",
      "stuck",
      "success",
      "swap",
      "tie_break",
      "uphold",
      "waive",
    ];
    const wanted = [
      ...kinds.map((kind) => `asked ${kind}`),
      ...outcomes,
      // The others are the business of properties-tasks.campaign.test.ts, which wants each of them.
      ...Object.keys(payloads).filter((type) => !(linesOfWorkflows as readonly string[]).includes(type)),
      "DONE",
      "FAILED",
      "CANCELLED",
    ];
    const missing = new Set<string>(wanted);
    // No more than it takes: the same dice always reach all of them.
    for (const rolls of fc.sample(histories, { numRuns: 400, seed: 11 })) {
      if (missing.size === 0) break;
      const { log, state } = play(rolls);
      for (const mark of [state.lifecycle, ...log.flatMap(marksOf)]) missing.delete(mark);
    }
    expect([...missing]).toEqual([]);
  });
});

function marksOf({ type, payload }: Envelope): string[] {
  if (type === "HUMAN_QUESTION") return [type, `asked ${payload.kind}`];
  return type === "STEP_ADVANCED" ? [type, payload.outcome] : [type];
}

/** What is true of every state, however it came about. */
function assertSound(state: State): void {
  const effects = listDueEffects(state);
  const owed = keys(state);
  expect(new Set(owed).size, `keys are unique: ${owed}`).toBe(owed.length);
  const begins = effects.filter(({ kind }) =>
    ["start-turn", "gates", "child", "clock", "deliver"].includes(kind),
  );
  if (state.pause) expect(begins).toEqual([]);
  else if (state.lifecycle === "RUNNING")
    expect(
      effects.some((effect) => effect.kind !== "notify" && effect.kind !== "deliver"),
      `something is under way at ${state.position.step}`,
    ).toBe(true);
  if (state.lifecycle === "RUNNING") expect(state.questions).toEqual([]);
  if (state.lifecycle === "WAITING_HUMAN") expect(state.questions.length).toBeGreaterThan(0);
  expect(badOptions(state)).toEqual([]);
  if (state.lifecycle === "READY_FOR_APPROVAL")
    expect(state.approval).toMatchObject({ tree: state.tree?.id, digest: expect.stringMatching(/./) });
  if (isFinal(state.lifecycle)) expect([owed.at(-1), state.questions]).toEqual(["close", []]);
  const ids = state.findings.map((finding) => finding.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(state.round).toBeLessThanOrEqual(getRoundLimit(state));
  expect(new Set(Object.values(state.roles))).toEqual(new Set(Object.values(state.config.agents)));
  expect(state.turn?.status === "claimed" ? state.turn.claim : "none").toBeTruthy();
}

function assertConverged(state: State): void {
  expect(listOpenFindings(state)).toEqual([]);
  expect(listOpenBlocking(state)).toEqual([]);
  expect(listRedGates(state)).toEqual([]);
  expect(checkProfile(state)).toBeUndefined();
  const passes = listCleanPasses(state);
  expect(new Set(passes.map((pass) => pass.agent)).size).toBe(2);
  expect(passes.every((pass) => pass.tree === state.tree?.id && !pass.byOperator)).toBe(true);
}

/** The newest word on the record about this tree is a human's approval of it. */
function assertSigned(before: readonly Envelope[], tree: string): void {
  const decision = before.findLast((envelope) => envelope.type === "APPROVAL_DECISION");
  const request = before.findLast((envelope) => envelope.type === "APPROVAL_REQUEST");
  expect(decision).toMatchObject({ sender: "human", payload: { decision: "approve" } });
  expect(request).toMatchObject({ payload: { tree } });
  expect(decision?.payload).toMatchObject({
    digest: request?.type === "APPROVAL_REQUEST" ? request.payload.digest : "",
  });
}

describe("decide", () => {
  it("gives the same answer to the same question, after any replay", () => {
    fc.assert(
      fc.property(histories, dice, (rolls, roll) => {
        const { log, state } = play(rolls);
        const command = nextCommand(state, roll);
        const at = "2026-03-01T00:00:00.000Z";
        const first = decide(state, command, at);
        expect(decide(state, command, at)).toEqual(first);
        expect(decide(copy(state), copy(command), at)).toEqual(first);
        expect(decide(fold(log), command, at)).toEqual(first);
      }),
      runs(40),
    );
  });

  it("writes only lines that a log counts, and with a refusal only warnings", () => {
    fc.assert(
      fc.property(histories, dice, (rolls, roll) => {
        const { state } = play(rolls);
        const { drafts, refusal } = decide(state, nextCommand(state, roll), state.lastAt);
        for (const envelope of placeDrafts(drafts, {
          seq: state.seq,
          bubbleId: "cart",
          at: state.lastAt,
          commandId: "c",
        })) {
          const parsed = parseEnvelope(copy({ ...envelope, prev: "" }));
          expect(parsed).toEqual({ ...copy(envelope), prev: "" });
        }
        if (refusal) expect(drafts.filter((draft) => draft.type !== "WARNING")).toEqual([]);
        if (refusal)
          expect(refusal).toMatchObject({
            code: expect.stringMatching(/^[a-z-]+\.[a-z-]+$/),
            message: expect.stringMatching(/\S/),
          });
      }),
      runs(40),
    );
  });

  it("takes nothing after the end", () => {
    fc.assert(
      fc.property(histories, fc.array(dice, { maxLength: 20 }), (rolls, more) => {
        const ended = play([...rolls]).states.find((state) => isFinal(state.lifecycle));
        for (const roll of ended ? more : [])
          expect(
            decide(ended, nextCommand(ended!, { ...roll, wild: true }), "2026-03-01T00:00:00.000Z").drafts,
          ).toEqual([]);
      }),
      runs(40),
    );
  });
});

describe("due", () => {
  it("after replay, or from a cache that was written and read, equals due before", () => {
    fc.assert(
      fc.property(histories, (rolls) => {
        const { log, states, state } = play(rolls);
        for (const before of states)
          expect(listDueEffects(copy(before))).toEqual(copy(listDueEffects(before)));
        expect(keys(fold(log)!)).toEqual(keys(state));
        const cut = Math.floor(log.length / 2);
        const cached = fold(log.slice(0, cut));
        expect(keys(fold(log.slice(cut), cached && copy(cached))!)).toEqual(keys(state));
      }),
      runs(40),
    );
  });
});

describe("the state", () => {
  it("stays small however long the history is", () => {
    fc.assert(
      fc.property(fc.array(dice, { minLength: 3000, maxLength: 3000, size: "max" }), (rolls) => {
        const { state, log } = play(rolls, true);
        expect(log.length).toBeGreaterThan(1000);
        expect(JSON.stringify(state).length).toBeLessThan(64 * 1024);
      }),
      { numRuns: soak },
    );
  });
});
