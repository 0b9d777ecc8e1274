// Commands to try in a state: what agents, people and drivers would say there, right and wrong. They are made from the record
// as it was, and tried on it and on the record with one field changed.
import { listDueEffects } from "../../src/core/bubble/due.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { State } from "../../src/core/model/state.ts";
import { listOpenFindings } from "../../src/core/state/severity.ts";
import {
  buildAgentActor,
  driver,
  operator,
  proveAllPlaces,
  wholePackage,
} from "../../src/testing/scenario-actors.ts";

const file = { path: "src/cart.ts", status: "modified", added: 3, removed: 1 } as const;

export function commandsFor(state: State): Command[] {
  return [...ofTurn(state), ...ofPeople(state), ...ofDriver(state), ...ofSteps(state)];
}

function ofTurn(state: State): Command[] {
  const { turn } = state;
  if (!turn) return [];
  const actor = buildAgentActor(turn);
  const ref = { turn: turn.id, attempt: turn.attempt };
  const answers = listOpenFindings(state).map(
    ({ id }) => ({ id, status: "fixed", reason: "src/cart.ts:3 now" }) as const,
  );
  const review = {
    noFindings: true,
    answers,
    checked: [{ file: "src/cart.ts", line: 3, why: "it is right" }],
  };
  const facts = proveAllPlaces(review, turn.tree);
  const handoff = { files: [file], problems: [], touched: [], facts, locked: { "src/cart.ts": "other" } };
  return [
    { type: "pass", actor, summary: "done", digest: "d1", package: wholePackage },
    { type: "pass", actor, summary: "reviewed", digest: "d2", ...review, facts },
    { type: "pass", actor, summary: "fixed", digest: "d3", disputes: [{ id: "F1", reason: "it is not so" }] },
    { type: "converged", actor, summary: "done", digest: "d4", ...review, facts },
    { type: "ask-human", actor, question: "Which?", digest: "d5" },
    { type: "turn-ended", actor: driver, ...ref, outcome: "crashed", detail: "exit 1" },
    {
      type: "turn-started",
      actor: driver,
      turn: turn.id,
      attempt: turn.attempt + 1,
      capability: "c",
      session: "s",
      fresh: false,
      tree: "T1",
      prompt: "p",
      output: "o",
      seat: "process",
      sandboxed: true,
    },
    { type: "usage", actor: driver, ...ref, usage: { input: 1, output: 1 } },
    { type: "handoff", actor: driver, ...ref, tree: "T1", commit: "c", ref: "r", ...handoff },
    {
      type: "handoff",
      actor: driver,
      ...ref,
      tree: state.tree?.id ?? "T0",
      commit: "c",
      ref: "r",
      ...handoff,
      files: [],
      locked: Object.fromEntries((state.locks ?? []).map(({ path, sha256 }) => [path, sha256])),
    },
    { type: "watchdog", actor: driver, ages: { turnMs: 9e7, signMs: 9e7 } },
  ];
}

function ofPeople(state: State): Command[] {
  const actor = operator;
  const { digest = "", tree = "" } = state.approval ?? {};
  const keys = state.questions.flatMap(({ id, options = [] }) =>
    options.map(({ key }) => ({ question: id, choice: key })),
  );
  return [
    ...keys.map((said): Command => ({ type: "reply", actor, message: "because", ...said })),
    ...state.questions.map(({ id }): Command => ({ type: "reply", actor, message: "because", question: id })),
    { type: "approve", actor, digest, tree, message: "" },
    { type: "commit", actor, commit: "c0ffee", tree, branch: "bubble/cart", locked: {} },
    { type: "request-rework", actor, message: "again", reject: false },
    { type: "resume", actor, message: "go" },
    { type: "resume", actor, message: "go", tree: "keep" },
    { type: "unlock", actor, paths: ["src/cart.ts"], reason: "it must change" },
    { type: "waive", actor, gates: ["test"], reason: "known" },
    { type: "override-scope", actor, paths: ["docs/**"], reason: "known" },
    { type: "stop", actor, reason: "enough" },
    ...state.program.steps
      .slice(0, 2)
      .map(({ name }): Command => ({ type: "redo", actor, step: name, reason: "again" })),
  ];
}

function ofDriver(state: State): Command[] {
  const tree = state.tree?.id ?? "T0";
  const results = state.profile.gates.map(({ name, command, required }) => ({
    name,
    command,
    required,
    status: "passed" as const,
    exit_code: 0,
    duration_ms: 1,
    excerpt: "",
  }));
  const ran = { actor: driver, tree, results, changed: [], output: "o.txt" };
  return [
    { type: "start", actor: operator, seat: "process" },
    { type: "claim-driver", actor: driver, pid: 2, host: "here", seat: "process" },
    { type: "gates-ran", ...ran, put_back: [] },
    { type: "final-gates-ran", ...ran, clean: { included: [] } },
    { type: "base-gates-ran", ...ran, tree: state.workspace?.base ?? "", clean: { included: [] }, base: {} },
    { type: "package-written", actor: driver, tree, artifact: "done-package.md", sha256: "s", digest: "d" },
    { type: "check-budget", actor: driver },
    {
      type: "workspace-ready",
      actor: driver,
      path: "/work/cart",
      branch: "bubble/cart",
      tree: "T0",
      notes: [],
    },
    { type: "workspace-failed", actor: driver, code: "git.failed", message: "no" },
    ...state.deliveries.map(
      (one): Command => ({
        type: "delivered",
        actor: driver,
        message: one.message,
        turn: one.turn,
        status: "acknowledged",
      }),
    ),
  ];
}

function ofSteps(state: State): Command[] {
  const actor = driver;
  const children = (state.children?.each ?? []).flatMap(
    ({ child: { key }, bubble = `cart-${key}` }): Command[] => [
      { type: "child-started", actor, key, bubble },
      {
        type: "child-reported",
        actor,
        key,
        bubble,
        status: "completed",
        tree: "T1",
        commit: "c1",
        why: "done",
      },
    ],
  );
  return listDueEffects(state)
    .flatMap((effect): Command[] => {
      switch (effect.kind) {
        case "go-on":
          return [{ type: "go-on", actor, entered: effect.entered }];
        case "clock":
          return [{ type: "time-up", actor, what: effect.what, entered: effect.entered, measured: true }];
        case "lock":
          return [
            { type: "lock", actor, tree: effect.tree, artifacts: [{ path: "src/cart.ts", sha256: "s" }] },
          ];
        case "pair-session":
          return [
            { type: "pair-session", actor, task: effect.task, artifact: "a", sha256: "s", iteration: 1 },
          ];
        default:
          return [];
      }
    })
    .concat(children);
}
