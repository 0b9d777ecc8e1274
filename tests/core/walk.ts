// Random histories: dice choose what is said next, sensibly (what is due, what was asked) or wildly (anything by
// anybody). The same dice give the same history, so that a failing one can be made smaller.
import fc from "fast-check";
import type { Effect } from "../../src/core/bubble/due/effect.ts";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { pausable } from "../../src/core/limits/pause.ts";
import type { Actor, Command, CommandOf } from "../../src/core/model/command.ts";
import type { GateResult } from "../../src/core/model/gate.ts";
import type { Usage } from "../../src/core/model/record/usage.ts";
import type { Answer, NewFinding } from "../../src/core/model/review/finding.ts";
import type { Turn } from "../../src/core/model/state/turn.ts";
import type { State } from "../../src/core/model/state.ts";
import { findAskedPaper } from "../../src/core/paper/context.ts";
import { getCodeTree } from "../../src/core/state/code-tree.ts";
import { listOpenFindings } from "../../src/core/state/severity.ts";
import {
  getCurrentStep,
  getCurrentTask,
  isCritic,
  isProducer,
} from "../../src/core/state/workflow-position.ts";
import { buildAgentActor, driver, operator, wholePackage } from "../../src/testing/scenario-actors.ts";
import { lockedAs, stepOutcome, wildSteps } from "./walk-steps.ts";

export interface Dice {
  readonly wild: boolean;
  readonly kind: number;
  readonly a: number;
  readonly b: number;
}

export const dice: fc.Arbitrary<Dice> = fc.record({
  wild: fc.nat(4).map((n) => n === 0),
  kind: fc.nat(999),
  a: fc.nat(999),
  b: fc.nat(999),
});

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length] as T;
const trees = ["T0", "T1", "T2", "T3"];

/** What somebody says next in this state. `endless` leaves out what ends a bubble. */
export function nextCommand(state: State, roll: Dice, endless = false): Command {
  const command = roll.wild ? wildly(state, roll) : sensibly(state, roll);
  const ends =
    ["stop", "fail", "commit", "approve"].includes(command.type) ||
    (command.type === "reply" && command.choice === "reject");
  return endless && ends
    ? { type: "claim-driver", actor: driver, pid: 1, host: "here", seat: "process" }
    : command;
}

function sensibly(state: State, roll: Dice): Command {
  if (state.lifecycle === "CREATED") return { type: "start", actor: operator, seat: "process" };
  if (!state.driver) return { type: "claim-driver", actor: driver, pid: 1, host: "here", seat: "process" };
  const paused = aboutPause(state, roll);
  if (paused) return paused;
  if (state.lifecycle === "WAITING_HUMAN") return whileWaiting(state, roll);
  return signature(state, roll) ?? onwards(state, roll);
}

/** A human pauses now and then; whatever is left to do meanwhile is done, or the pause ends. */
function aboutPause(state: State, { kind, a, b }: Dice): Command | undefined {
  const isQuiet = listDueEffects(state).every(
    (effect) => effect.kind === "notify" || effect.kind === "pause-child",
  );
  if (state.pause && (isQuiet || a % 2 === 0))
    return { type: "resume", actor: operator, message: b % 2 ? "continue" : "" };
  if (state.pause || !pausable.includes(state.lifecycle) || kind % 41 !== 0) return undefined;
  return { type: "pause", actor: operator, message: b % 2 ? "lunch" : "", now: a % 2 === 0 };
}

/** A human answers, or the silent agent speaks after all. */
function whileWaiting(state: State, roll: Dice): Command {
  const { turn } = state;
  const passing = ["watchdog", "undelivered"].includes(state.questions[0]?.kind ?? "");
  const speaks = passing && turn?.status === "running" && roll.kind % 3 === 0;
  return speaks ? claim(state, turn, roll) : humanAnswer(state, roll);
}

/** What a human does with what asks for approval or is approved. */
function signature(state: State, { a, b }: Dice): Command | undefined {
  const { lifecycle, approval } = state;
  const { digest = "", tree = "" } = approval ?? {};
  if (lifecycle === "APPROVED_FOR_COMMIT")
    return {
      type: "commit",
      actor: operator,
      commit: "c0ffee",
      tree,
      branch: "b",
      ...lockedAs(state, a),
    };
  if (lifecycle !== "READY_FOR_APPROVAL") return undefined;
  if (a % 7 === 0)
    return { type: "update-base", actor: operator, branch: "main", to: `base-${a}-${b}`, tree };
  return a % 3 === 0
    ? { type: "approve", actor: operator, digest, tree, message: "" }
    : { type: "request-rework", actor: operator, message: "again", reject: b % 2 === 0 };
}

/** The agent whose turn it is speaks, or a driver does what is due. */
function onwards(state: State, roll: Dice): Command {
  const { turn } = state;
  const owed = listDueEffects(state).filter((effect) => effect.kind !== "notify");
  const message = owed.find((effect) => effect.kind === "deliver");
  if (message && roll.kind % 4 > 0) return outcome(state, message, roll);
  if (turn?.status === "running" && roll.kind % 8 > 0) return claim(state, turn, roll);
  return owed.length > 0 ? outcome(state, pick(owed, Math.floor(roll.kind / 8)), roll) : wildly(state, roll);
}

function prepared(a: number, b: number): Command {
  if (a % 5 === 0) return { type: "workspace-failed", actor: driver, code: "git.failed", message: "no" };
  const problem = b % 5 === 0 ? { problem: "setup failed" } : {};
  const base = a % 4 === 0 ? { base: "B0", ...problem } : {};
  return { type: "workspace-ready", actor: driver, path: "/w", branch: "b", tree: "T0", notes: [], ...base };
}

/** The gates on a clean checkout, of the base or of what is to be signed. */
function onClean(
  state: State,
  { kind, tree }: { readonly kind: "base-gates" | "final-gates"; readonly tree: string },
  a: number,
  b: number,
): Command {
  const { put_back: _none, ...ran } = gates(state, tree, a, b);
  const clean = { included: [], ...(b % 7 === 0 ? { problem: "setup failed" } : {}) };
  if (kind === "final-gates") return { ...ran, type: "final-gates-ran", clean };
  const [first] = state.profile.gates;
  const base =
    a % 6 === 0 && first
      ? { red_in_worktree: [first.name] }
      : a % 6 === 1 && first
        ? { needs_network: [first.name] }
        : {};
  return { ...ran, type: "base-gates-ran", clean, base };
}

/** What a driver reports about something that is due. */
function outcome(state: State, effect: Effect, { a, b }: Dice): Command {
  switch (effect.kind) {
    case "prepare":
      return prepared(a, b);
    case "start-turn":
      return startTurn(state, effect.turn, a);
    case "snapshot":
      return snapshot(state, effect.turn, a, b);
    case "gates":
      return gates(state, effect.tree, a, b);
    case "base-gates":
    case "final-gates":
      return onClean(state, effect, a, b);
    case "package":
      return {
        type: "package-written",
        actor: driver,
        tree: effect.tree,
        artifact: "done-package.md",
        sha256: "s",
        digest: `digest-${state.seq}`,
      };
    case "deliver":
      return {
        type: "delivered",
        actor: driver,
        message: effect.delivery.message,
        turn: effect.delivery.turn,
        status: pick(["sent", "sent", "undelivered", "undelivered", "acknowledged"] as const, a),
      };
    case "watch-turn":
      return ofTurn(effect.turn, a, b);
    default:
      return stepOutcome(state, effect, { a, b }) ?? { type: "watchdog", actor: driver };
  }
}

/** What a driver or a hook tells about a turn that runs. */
function ofTurn(turn: Turn, a: number, b: number): Command {
  if (b % 3 === 0) return { type: "watchdog", actor: driver };
  if (b % 7 === 1) return told(turn, { type: "usage", usage: { input: a * 40, output: b } });
  if (b % 7 === 2) return told(turn, { type: "turn-session", session: `s${a}` });
  if (b % 7 === 4) return { type: "check-budget", actor: driver };
  if (b % 7 === 5) return told(turn, { type: "turn-waiting", what: a % 2 ? `dialog ${a % 3}` : null });
  return {
    type: "turn-ended",
    actor: driver,
    turn: turn.id,
    attempt: turn.attempt,
    outcome: pick(["crashed", "hung", "asked", "garbage", "quota", "rate-limited", "auth"] as const, a),
    detail: "exit 1",
  };
}

type Told =
  | { type: "turn-waiting"; what: string | null }
  | { type: "usage"; usage: Usage }
  | { type: "turn-session"; session: string };

const told = ({ id, attempt }: Turn, what: Told): Command => ({ actor: driver, turn: id, attempt, ...what });

function startTurn(state: State, turn: Turn, a: number): Command {
  const attempt = turn.attempt + 1;
  const capability = `secret-${turn.id}.${attempt}`;
  return {
    type: "turn-started",
    actor: driver,
    turn: turn.id,
    attempt,
    capability,
    session: `s${a}`,
    fresh: true,
    tree: state.tree?.id ?? "T0",
    prompt: "p.md",
    output: "o.log",
    seat: pick(["tmux", "process"], a),
    sandboxed: a % 2 === 0,
  };
}

/** A paper in a tree of its own, unless its author has changed files. */
function paperSnapshot(state: State, { id, attempt, step }: Turn, a: number, b: number): Command {
  const asked = state.program.steps.find(({ name }) => name === step);
  const kind = asked?.kind === "turn" ? (asked.paper ?? "") : "";
  const tree = `P${b % 4}`;
  return {
    type: "handoff",
    actor: driver,
    turn: id,
    attempt,
    tree,
    commit: `commit-${tree}`,
    ref: "r",
    files: [{ path: `.pairflow/papers/${kind}.json`, status: "added", added: a, removed: 0 }],
    problems: [],
    touched: [],
    diff: "round.diff",
    ...(a % 6 > 0 ? { paper: { kind, code: getCodeTree(state) ?? "T0" } } : { put_back: "p.patch" }),
  };
}

function snapshot(state: State, turn: Turn, a: number, b: number): Command {
  if (turn.claim?.pass?.paper) return paperSnapshot(state, turn, a, b);
  const isSame = !isProducer(state, turn.role) ? a % 6 > 0 : a % 3 > 0 && state.tree !== undefined;
  const tree = isSame ? (state.tree?.id ?? "T0") : pick(trees, b);
  const path = a % 7 === 0 ? "secret/key" : "src/cart.ts";
  return {
    type: "handoff",
    actor: driver,
    turn: turn.id,
    attempt: turn.attempt,
    tree,
    commit: `commit-${tree}`,
    ref: "r",
    files: tree === "T0" ? [] : [{ path, status: "modified", added: a, removed: b }],
    problems: a % 11 === 0 ? ["a merge is under way"] : [],
    touched: [{ path: "src/cart.ts", ranges: [[1, 10]] }],
    diff: "round.diff",
    ...lockedAs(state, b),
  };
}

function gates(state: State, tree: string, a: number, b: number): CommandOf<"gates-ran"> {
  const status: GateResult["status"] =
    a % 4 > 0 ? "passed" : pick(["failed", "timeout", "error"] as const, b);
  const results = state.profile.gates.map(({ name, command, required }) => ({
    name,
    command,
    required,
    status,
    exit_code: 0,
    duration_ms: 1,
    excerpt: "out".repeat(b % 40),
  }));
  return {
    type: "gates-ran",
    actor: driver,
    tree,
    results,
    changed: a % 9 === 0 ? ["src/cart.ts"] : [],
    put_back: [],
    output: "tests.txt",
  };
}

const titles = ["Total is wrong", "Name is vague", "Rounding is off", "Leak"];

function newFinding(a: number, b: number): NewFinding {
  const file = pick([undefined, "src/cart.ts", "src/tax.ts", "README.md"], a);
  return {
    severity: pick(["P0", "P1", "P2", "P3", "P3"] as const, b),
    title: `${pick(titles, a + b)}${b % 3 === 0 ? ` ${a}` : ""}`,
    ...(file ? { file, line: (a % 50) + 1 } : {}),
    ...(a % 3 === 0 ? { evidence: "quoted line" } : {}),
    ...(b % 5 === 0 ? { area: "security" } : {}),
  };
}

function claim(state: State, turn: Turn, roll: Dice): Command {
  const { kind, a, b } = roll;
  const said = { actor: buildAgentActor(turn), digest: `d${kind}.${a}.${b}` };
  const options = a % 2 ? { options: ["accept", "waive", "no"] } : {};
  if (kind % 13 === 0) return { type: "ask-human", question: "Which?", ...said, ...options };
  const step = getCurrentStep(state);
  if (step?.kind === "turn" && step.answer === "score")
    return { ...said, type: "pass", summary: "scored", score: (a % 11) / 10 };
  const paper = findAskedPaper(state);
  if (paper)
    return { ...said, type: "pass", summary: "written", paper: b % 9 ? paper.example : { title: 1 } };
  return { ...said, ...(isCritic(state, turn.role) ? review(state, roll) : work(state, roll)) };
}

type Spoken<T> = T extends unknown ? Omit<T, "actor" | "digest"> : never;

function work(state: State, { b }: Dice): Spoken<CommandOf<"pass">> {
  const disputed = b % 5 === 0 ? listOpenFindings(state).slice(0, 1) : [];
  return {
    type: "pass",
    summary: "done",
    ...(b % 3 > 0 ? { package: wholePackage } : {}),
    ...(disputed.length > 0 ? { disputes: disputed.map(({ id }) => ({ id, reason: "it is right" })) } : {}),
    ...(b % 4 === 0 ? { noChange: "fine" } : {}),
    ...(b % 4 === 1 && getCurrentTask(state)?.checkpoints === "claim" ? { checkpoint: "half way" } : {}),
  };
}

function review(state: State, { kind, a, b }: Dice): Spoken<CommandOf<"pass"> | CommandOf<"converged">> {
  const closing = ["fixed", "fixed", "withdrawn"] as const;
  const answers = listOpenFindings(state).map(({ id }): Answer => {
    const status = a % 2 === 0 ? "open" : pick(closing, a + Number(id.slice(1)));
    return { id, status, reason: "because" };
  });
  if (a % 2 > 0 && kind % 3 === 0) return { type: "converged", summary: "all good", answers };
  const findings = b % 3 === 0 ? [newFinding(a, b), newFinding(b, a)].slice(0, (a % 2) + 1) : [];
  const found = findings.length > 0 ? { findings } : { noFindings: true };
  return { type: "pass", summary: "reviewed", answers, ...found };
}

function humanAnswer(state: State, { kind, a, b }: Dice): Command {
  const question = state.questions[0];
  if (question?.kind === "tree-changed")
    return { type: "resume", actor: operator, message: "", tree: a % 2 ? "keep" : { putBack: "p.patch" } };
  if (kind % 5 === 0) return { type: "resume", actor: operator, message: b % 2 ? "continue" : "" };
  const offered = question?.options?.filter(({ key }) => key !== "reject" || b % 5 === 0) ?? [];
  const choice = offered.length > 0 ? pick(offered, a).key : undefined;
  const isContinue = choice === "continue" && question?.kind !== "agent";
  return {
    type: "reply",
    actor: operator,
    message: "because",
    ...(choice ? { choice } : {}),
    ...(isContinue && b % 2 ? { rounds: (b % 3) + 1 } : {}),
    ...(choice === "accept" && question?.kind !== "agent"
      ? { waiveGates: state.profile.gates.map((gate) => gate.name) }
      : {}),
  };
}

/** Anything, by anybody, fitting or not. */
function wildly(state: State, roll: Dice): Command {
  const { kind, a, b } = roll;
  const turn = pick([state.turn, state.lastTurn, undefined], b);
  const who = { turn: turn?.id ?? `t${a % 5}`, attempt: turn?.attempt ?? a % 3 };
  const stale: Actor = {
    kind: "agent",
    ...who,
    capability: pick([turn?.capability ?? "", "guessed", ""], a),
  };
  const actor = pick<Actor>(
    [
      operator,
      driver,
      stale,
      { kind: "driver", id: "d2" },
      { kind: "operator", via: "page", as: pick(["implementer", "reviewer", "nobody"], b) },
    ],
    a,
  );
  const tree = pick(trees, a);
  const answers: Answer[] = [
    { id: `F${(a % 6) + 1}`, status: pick(["fixed", "open", "withdrawn"] as const, b) },
  ];
  const commands: Command[] = [
    {
      type: "configure",
      actor,
      config: {
        ...state.config,
        ...(b % 2 ? { watchdog_timeout_minutes: (a % 9) + 1 } : { max_rounds: a + 1 }),
      },
    },
    { type: "start", actor, seat: "tmux" },
    { type: "workspace-ready", actor, path: "/w", branch: "b", tree, notes: [] },
    { type: "workspace-failed", actor, code: "git.failed", message: "x".repeat(a * 10) },
    { type: "claim-driver", actor, pid: a, host: "there", seat: "process" },
    {
      type: "turn-started",
      actor,
      ...who,
      capability: `c${a}`,
      session: "s",
      fresh: true,
      tree,
      prompt: "p",
      output: "o",
      seat: "process",
      sandboxed: false,
    },
    { type: "turn-spawned", actor, ...who, pid: b },
    {
      type: "turn-ended",
      actor,
      ...who,
      outcome: pick(["crashed", "refused-tool", "superseded", "timed-out"] as const, a),
      detail: "d".repeat(b * 10),
    },
    { type: "pass", actor, summary: "s", digest: `w${b}`, findings: [newFinding(a, b)], answers },
    {
      type: "pass",
      actor,
      summary: "s".repeat(a * 30),
      digest: `w${b}`,
      ...(b % 2 ? { noFindings: true } : {}),
      disputes: [{ id: `F${(a % 4) + 1}`, reason: "no" }],
    },
    { type: "converged", actor, summary: "s", digest: `w${b}`, ...(a % 2 ? { answers } : {}) },
    { type: "ask-human", actor, question: "?", digest: `w${b}` },
    { type: "handoff", actor, ...who, tree, commit: "c", ref: "r", files: [], problems: [], touched: [] },
    { type: "gates-ran", actor, tree, results: [], changed: [], put_back: [], output: "o" },
    {
      type: "final-gates-ran",
      actor,
      tree,
      results: [],
      changed: [],
      output: "o",
      clean: { included: [] },
    },
    { type: "package-written", actor, tree, artifact: "a", sha256: "s", digest: "d" },
    {
      type: "delivered",
      actor,
      message: a,
      turn: who.turn,
      status: pick(["sent", "acknowledged", "undelivered"] as const, b),
    },
    {
      type: "reply",
      actor,
      message: b % 3 ? "m" : "",
      choice: pick(
        [
          "accept",
          "waive",
          "continue",
          "fix",
          "uphold",
          "wait",
          "restart",
          "retry",
          "reject",
          "rework",
          "approve",
        ],
        a,
      ),
      rounds: (b % 5) - 1,
    },
    { type: "reply", actor, message: "m", findings: [`F${a % 5}`], waiveGates: b % 2 ? ["test"] : [] },
    {
      type: "resume",
      actor,
      message: "m",
      ...(b % 3 === 0 ? { tree: "keep" } : b % 3 === 1 ? { tree: { putBack: "p" } } : {}),
    },
    { type: "override-scope", actor, paths: [`src/${a % 3}`], reason: b % 2 ? "r" : "" },
    { type: "waive", actor, gates: [pick(["test", "lint", "other"], a)], reason: b % 2 ? "r" : "" },
    { type: "warn", actor, code: "view.unwritable", message: "disk full" },
    { type: "approve", actor, digest: `digest-${b}`, tree, message: "" },
    { type: "request-rework", actor, message: "m", reject: false },
    { type: "update-base", actor, branch: "main", to: `base-${a}`, tree },
    { type: "commit", actor, commit: "c", tree, branch: "b" },
    { type: "finish", actor },
    { type: "tree-changed", actor, expected: "T0", found: tree, files: ["f".repeat(a)] },
    { type: "watchdog", actor },
    ...wildSteps(state, actor, { a, b }),
    ...(b % 40 === 0
      ? [
          { type: "stop", actor, reason: "r".repeat(a * 5) } as const,
          { type: "fail", actor, code: "x", message: "m" } as const,
        ]
      : []),
  ];
  return pick(commands, kind);
}
