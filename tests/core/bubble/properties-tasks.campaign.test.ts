// What holds for every history of a workflow with tasks, not only for those somebody thought of.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { evolve, fold } from "../../../src/core/bubble/evolve.ts";
import { isFinal, mayMove } from "../../../src/core/bubble/lifecycle.ts";
import { listRedGates } from "../../../src/core/judge/convergence.ts";
import type { Envelope } from "../../../src/core/model/record/envelope.ts";
import type { State } from "../../../src/core/model/state.ts";
import { listOpenBlocking } from "../../../src/core/state/severity.ts";
import { findTask, getCurrentStep, isProducer } from "../../../src/core/state/workflow-position.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";
import { linesOfWorkflows } from "../walk-steps.ts";
import { beginnings, type Played, playOut, rolls } from "../workflow-histories.ts";

const soak = process.env.PAIRFLOW_SOAK === "1" ? 20 : 1;
const names = Object.keys(beginnings);
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Each envelope of a history between the state before and the state after it. */
function* changes(log: readonly Envelope[]): Generator<{ before: State; envelope: Envelope; after: State }> {
  let state: State | undefined;
  for (const envelope of log) {
    const before = state;
    state = evolve(before, envelope);
    if (before) yield { before, envelope, after: state };
  }
}

/** Whoever sees the failure can play the same histories again. */
function tell(check: () => void, which: string): void {
  try {
    check();
  } catch (error) {
    throw new Error(`in a history of ${which}: ${(error as Error).message}`, { cause: error });
  }
}

describe.each(names)("any history of %s", (name) => {
  /** A few histories are played once and asked every question; the long campaign plays new ones for each. */
  const seed = 1;
  let shared: Played[] | undefined;
  const histories = (runs: number, holds: (played: Played) => void) => {
    if (soak === 1) {
      shared ??= fc.sample(rolls, { numRuns: 8, seed }).map((dice) => playOut(name, dice));
      for (const played of shared) tell(() => holds(played), `${name}, seed ${seed}`);
    } else
      fc.assert(
        fc.property(rolls, (dice) => holds(playOut(name, dice))),
        { numRuns: runs * soak, endOnFailure: true },
      );
  };

  it("leaves a log that folds to the same state, by allowed moves alone", () => {
    histories(6, ({ log, state }) => {
      expect(fold(log)).toEqual(state);
      for (const { before, after } of changes(log))
        expect(before.lifecycle === after.lifecycle || mayMove(before.lifecycle, after.lifecycle)).toBe(true);
    });
  });

  it("owes the same after any replay, each thing under one key", () => {
    histories(6, ({ log, steps }) => {
      for (const [index, { state }] of steps.entries()) assertOwed(state, index % 10 === 0);
      const half = Math.floor(log.length / 2);
      const cached = fold(log.slice(0, half));
      const last = steps.at(-1)?.state;
      expect(last && listDueEffects(copy(fold(log.slice(half), cached && copy(cached))!))).toEqual(
        last && copy(listDueEffects(last)),
      );
    });
  });

  it("completes no task by exhaustion, and starts none whose predecessor is not completed", () => {
    histories(12, ({ log }) => {
      for (const change of changes(log)) {
        if (change.envelope.type === "TASK_ENDED") assertEnded(change.before, change.envelope, log);
        if (change.envelope.type === "TASK_STARTED") assertMayStart(change.before, change.envelope, log);
      }
    });
  });

  it("leaves a chain only when every critic has passed this very tree", () => {
    histories(6, ({ log }) => {
      for (const { before, envelope } of changes(log))
        if (
          envelope.type === "STEP_ADVANCED" &&
          envelope.payload.outcome === "passed" &&
          before.program.phases
        )
          assertPassed(before, log);
    });
  });

  it("spends no more rounds on a task than it has or a human grants", () => {
    histories(6, ({ log }) => {
      for (const { envelope, after } of changes(log))
        if (envelope.type === "STEP_ADVANCED") assertRounds(after, log);
    });
  });

  it("changes a lock only by locking, unlocking, taking back and sending back", () => {
    histories(6, ({ log, steps }) => {
      for (const { before, envelope, after } of changes(log)) {
        const may = ["LOCKED", "UNLOCKED", "STEP_REDONE", "TASK_STARTED"].includes(envelope.type);
        if (!may) expect(after.locks ?? [], envelope.type).toEqual(before.locks ?? []);
      }
      for (const { before, command, written } of steps) assertKept(before, command, written);
    });
  });

  it("can be shown to people at any point", () => {
    histories(3, ({ log, steps }) => {
      explain(log);
      for (const envelope of log) buildTimelineRow(envelope);
      for (const { state } of steps) buildStatusView(state, { now: state.lastAt });
    });
  });
});

function assertOwed(state: State, isRead: boolean): void {
  const effects = listDueEffects(state);
  const keys = effects.map(({ key }) => key);
  expect(new Set(keys).size, `keys are unique: ${keys}`).toBe(keys.length);
  if (isRead) expect(listDueEffects(copy(state))).toEqual(copy(effects));
  if (state.lifecycle === "WAITING_HUMAN") expect(state.questions.length).toBeGreaterThan(0);
  if (isFinal(state.lifecycle)) expect(keys.at(-1)).toBe("close");
  const agents = ["alice", "bob", "gemini"];
  if (state.turn) expect(agents, `whose turn ${state.turn.step} is`).toContain(state.turn.agent);
  if (state.lifecycle !== "RUNNING") return;
  expect(state.questions).toEqual([]);
  const begins = effects.filter(({ kind }) => ["start-turn", "gates", "child", "clock"].includes(kind));
  if (state.pause) {
    expect(begins, "a pause begins nothing").toEqual([]);
    return;
  }
  const waits = getCurrentStep(state)?.kind === "wait";
  const moving = effects.filter(
    ({ kind }) => !["notify", "deliver", "pair-session"].includes(kind) && (waits || kind !== "clock"),
  );
  expect(moving.length, `something is under way at ${state.position.step}`).toBeGreaterThan(0);
}

/** The end of a history, for whoever reads why it failed. */
const story = (log: readonly Envelope[]) =>
  log
    .slice(-15)
    .map(({ seq, type, payload }) => `${seq} ${type} ${JSON.stringify(payload).slice(0, 160)}`)
    .join("\n");

type Ended = Extract<Envelope, { type: "TASK_ENDED" }>;

/** The newest line of a kind before this one, since `from`. */
function since(log: readonly Envelope[], from: number, to: number): readonly Envelope[] {
  return log.slice(from, to - 1);
}

function assertEnded(state: State, { payload, seq }: Ended, log: readonly Envelope[]): void {
  const task = findTask(state, payload.task);
  const progress = state.tasks?.[payload.task];
  const isChild = state.children?.each.some(({ child }) => child.task === payload.task);
  if (payload.status === "skipped" || isChild) return;
  const own = since(log, progress?.seq ?? 0, seq);
  if (payload.status === "exceeded") {
    expect(task?.hil.enabled, "only where nobody is asked").toBe(false);
    expect(payload.flag).toBe("max_iterations_exceeded");
    return;
  }
  const accepts = own.some((line) => line.type === "HUMAN_REPLY" && line.payload.choice === "accept");
  if (payload.status === "accepted") {
    expect(accepts, "a human accepted it").toBe(true);
    return;
  }
  if (state.program.phases) {
    assertPhaseLeft(state, own);
    return;
  }
  expect(listRedGates(state), "its gates are green").toEqual([]);
  expect(listOpenBlocking(state), "nothing that blocks is open").toEqual([]);
  if (task?.loop.critic !== undefined) assertExit(state, own);
  if (task?.policy?.tier === "T2" || (task?.hil.enabled && task.hil.requires_human)) assertSigned(state, own);
}

/** A phase is left when all its reviewers have passed this tree, or because a human says so. */
function assertPhaseLeft(state: State, own: readonly Envelope[]): void {
  const ways = ["passed", "accept", "continue"];
  const left = own.findLast(
    (line) =>
      line.type === "STEP_ADVANCED" &&
      line.seq > (state.tree?.seq ?? 0) &&
      (ways.includes(line.payload.outcome) || line.payload.to === "work"),
  );
  const isHuman = own.at(-1)?.type === "HUMAN_REPLY" || own.at(-1)?.type === "APPROVAL_DECISION";
  expect(left !== undefined || isHuman, `a way out of the phase:\n${story(own)}`).toBe(true);
}

/** Each critic of a chain has found this very tree clean in its newest review. */
function assertPassed(state: State, log: readonly Envelope[]): void {
  const { loop, key } = findTask(state, getCurrentStep(state)?.task) ?? {};
  const passed = state.tasks?.[key ?? ""]?.chain?.passed ?? {};
  const trees = (loop?.chain ?? []).map((_, i) => passed[String(i)]);
  expect(trees, `all have passed it:\n${story(log.slice(0, state.seq))}`).toEqual(
    (loop?.chain ?? []).map(() => state.tree?.id),
  );
  expect(listOpenBlocking(state), "nothing that blocks is open").toEqual([]);
  expect(listRedGates(state), "its gates are green").toEqual([]);
}

/** A human has signed these very bytes, and taken nothing back since then. */
function assertSigned({ tree }: State, own: readonly Envelope[]): void {
  // A lock or an end that is done again rests on the signature before it.
  const back =
    own.findLast((line) => line.type === "STEP_REDONE" && !/\/(?:lock|done)$/.test(line.payload.step))?.seq ??
    0;
  const signed = own.some(
    (line) =>
      line.type === "STEP_ADVANCED" &&
      line.payload.outcome === "approve" &&
      line.payload.output?.tree === tree?.id &&
      line.seq > back,
  );
  expect(signed, "a human signed this tree").toBe(true);
}

/** A critic who did not make this tree found it clean, all of the chain did, or the score of this tree was met. */
function assertExit(state: State, own: readonly Envelope[]): void {
  const { loop, confidence } = findTask(state, getCurrentStep(state)?.task) ?? {};
  const left = own.findLast(
    (line) =>
      line.type === "STEP_ADVANCED" && line.payload.outcome === "exit" && line.seq > (state.tree?.seq ?? 0),
  );
  expect(left, `the loop was left by a condition, on this tree:\n${story(own)}`).toBeDefined();
  const clean = state.reviews.filter(({ tree, clean: isClean }) => isClean && tree === state.tree?.id);
  const met = own.some(
    (line) => line.type === "CONFIDENCE" && line.payload.met && line.payload.tree === state.tree?.id,
  );
  const critics = new Set(clean.map(({ agent }) => agent));
  const wanted = loop?.chain ?? [];
  const approved = wanted.length > 0 ? wanted.every((agent) => critics.has(agent)) : clean.length > 0;
  expect(approved || (confidence !== undefined && met), `an exit condition held:\n${story(own)}`).toBe(true);
}

type Started = Extract<Envelope, { type: "TASK_STARTED" }>;

function assertMayStart({ program, tasks = {} }: State, line: Started, log: readonly Envelope[]): void {
  const key = line.payload.task;
  const { depends_on = [], joins } = program.tasks?.find((task) => task.key === key) ?? {};
  if (joins) return;
  const open = depends_on.filter((one) => !["completed", "accepted"].includes(tasks[one]?.status ?? ""));
  expect(open, `${key} starts:\n${story(log.slice(0, line.seq))}`).toEqual([]);
}

function assertRounds(state: State, log: readonly Envelope[]): void {
  const task = findTask(state, getCurrentStep(state)?.task);
  const progress = task && state.tasks?.[task.key];
  if (!task || !progress) return;
  const own = since(log, progress.seq - 1, state.seq + 1);
  const granted = own.reduce((sum, line) => {
    // After a waived dispute the critics are asked once more, without a round.
    // Whoever sends a tree back that is red on a clean checkout grants the round for it.
    if (line.type === "HUMAN_REPLY")
      return (
        sum + (line.payload.rounds ?? 0) + (["waive", "rework"].includes(line.payload.choice ?? "") ? 1 : 0)
      );
    const isSentBack = line.type === "APPROVAL_DECISION" && line.payload.decision !== "approve";
    // Whoever keeps what a person has changed has it judged once more.
    const isKept = line.type === "RESUMED" && line.payload.how === "keep";
    // Whoever has red gates run once more, on a tree that used up the last round, has what comes of it judged.
    const isRetried = line.type === "STEP_ADVANCED" && line.payload.outcome === "retry";
    const isGranted = isSentBack || isKept || isRetried;
    return sum + (isGranted || line.type === "STEP_REDONE" || line.type === "BASE_UPDATED" ? 1 : 0);
  }, 0);
  const spent =
    task.loop.chain_order === "go_on"
      ? (progress.chain?.restarts ?? 0)
      : state.round - progress.firstRound + 1;
  expect(spent, `rounds of ${task.key}`).toBeLessThanOrEqual(task.loop.max_rounds + granted);
}

type Submitted = Played["steps"][number];

/** A handoff or a commit that changes what is locked does not count. */
function assertKept(state: State, command: Submitted["command"], written: Submitted["written"]): void {
  const { locks = [], turn } = state;
  const makes = command.type === "handoff" && isProducer(state, turn?.role ?? "");
  if (!makes && command.type !== "commit") return;
  const { locked } = command;
  const broken = locks.some(({ path, sha256 }) => locked?.[path] !== sha256);
  const counts = written.some(
    (line) => line.type === "COMMITTED" || (line.type === "HANDOFF" && line.payload.problems.length === 0),
  );
  if (broken) expect(counts, `${command.type} with a broken lock`).toBe(false);
}

/** What a line shows of a history: its type, and how something ended or what was asked. */
function marksOf({ type, payload }: Envelope): string[] {
  if (type === "TASK_ENDED") return [type, `task ${payload.status}`];
  if (type === "HUMAN_QUESTION") return [type, `asked ${payload.kind}`];
  if (type === "STEP_ADVANCED") return [type, payload.outcome];
  if (type === "RUN_RESULT") return [type, `run ${payload.result}`];
  return type === "TURN_ENDED" ? [type, `turn ${payload.outcome}`] : [type];
}

describe("the dice", () => {
  it("reach every line, ending and question of workflows", { timeout: 300_000 }, () => {
    const wanted = [
      ...linesOfWorkflows,
      ...["completed", "accepted", "exceeded", "skipped"].map((status) => `task ${status}`),
      ...["approved", "accepted", "exceeded", "routed"].map((result) => `run ${result}`),
      ...["exit", "subtask", "switch", "locked", "scored", "joined", "conflict", "unmet", "redo", "signoff"],
      ...["passed", "adopted", "unapproved", "allow", "refuse", "kept", "done", "failed"],
      ...["sign-off", "exhausted", "stuck", "pair-corrupt", "commands", "child-failed", "conflict"].map(
        (kind) => `asked ${kind}`,
      ),
      "turn timed-out",
      "DONE",
      "FAILED",
      "CANCELLED",
    ];
    const missing = new Set<string>(wanted);
    // No more than it takes: the same dice always reach all of them.
    for (const dice of fc.sample(rolls, { numRuns: 160, seed: 5 }))
      for (const name of missing.size > 0 ? names : []) {
        const { log, state } = playOut(name, dice);
        for (const mark of [state.lifecycle, ...log.flatMap(marksOf)]) missing.delete(mark);
      }
    expect([...missing]).toEqual([]);
  });
});
