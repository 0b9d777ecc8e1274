// What people decide while a bubble runs: start, answer, resume, allow, waive, stop.

import { listConfiguredGates } from "../../../gates/detect/commands.ts";
import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { findProducerStep, goTo } from "../../../interpreter/interpret.ts";
import { isWaived, listRedGates } from "../../../judge/convergence.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type BubbleConfig, changeableWhileRunning, pinnedAtCreation } from "../../../model/config.ts";
import type { Gate } from "../../../model/gate.ts";
import type { QuestionKind } from "../../../model/record/question-kind.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { listSettingChanges } from "../../../state/settings.ts";
import type { Rule } from "../../decision.ts";
import { checkRolesBound } from "../create.ts";
import { expectState } from "../expected.ts";
import { runGatesAgain, settleGates } from "../gates/results.ts";
import { getVia, getViaAndDoor } from "./door.ts";
import { checkPausedAbove, endPause } from "./pause.ts";
import { checkReply } from "./reply/check.ts";
import { applyAnswer, retryRefused } from "./reply.ts";

/** Bytes of a line for the values of changed settings. */
const roomForValues = 8_000;

export const configure: Rule<"configure"> = (batch, command) => {
  const keys = Object.keys({ ...batch.state.config, ...command.config }) as (keyof BubbleConfig)[];
  const changed = keys.filter(
    (key) => JSON.stringify(batch.state.config[key]) !== JSON.stringify(command.config[key]),
  );
  if (changed.length === 0) return undefined;
  const isFrozen = (key: string) => isPinned(batch.state, key);
  const frozen = changed.filter(isFrozen);
  if (frozen.length > 0)
    return refuse(
      "config.frozen",
      `bubble.toml changed what is pinned: ${frozen.join(", ")}`,
      `put it back, or delete this bubble and create another; changeable now: ${keys.filter((key) => !isFrozen(key)).join(", ")}`,
    );
  const unbound = checkRolesBound(batch.state.program, command.config);
  if (unbound) return unbound;
  const gates = changed.includes("commands") ? listConfiguredGates(command.config) : undefined;
  if (gates?.length === 0) return refuseNoGates();
  const values = takeFitting(listSettingChanges(batch.state.config, command.config), roomForValues);
  // The referee has read the file: nobody has shown who wrote it.
  batch.write("CONFIGURED", {
    config: command.config,
    changed,
    values,
    ...(command.readAt ? { read_at: command.readAt } : {}),
    ...(gates ? { gates } : {}),
  });
};

function isPinned(state: State, key: string): boolean {
  if (state.lifecycle !== "CREATED") return !(changeableWhileRunning as readonly string[]).includes(key);
  if (key === "commands") return !areGatesWritten(state);
  return (pinnedAtCreation as readonly string[]).includes(key);
}

/** Whether [commands] is the whole list: not in records from before it was, nor where nothing runs gates. */
function areGatesWritten({ config, profile, program }: State): boolean {
  const runsGates = program.steps.some(({ kind }) => kind === "gates");
  const written = listConfiguredGates(config);
  return runsGates && JSON.stringify(sortGates(written)) === JSON.stringify(sortGates(profile.gates));
}

/** By name, each with its keys in one order. */
const sortGates = (gates: readonly Gate[]) =>
  gates
    .map((gate) => Object.entries(gate).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const refuseNoGates = () =>
  refuse(
    "config.no-gates",
    "bubble.toml names no gate any more, and nothing converges without one",
    'name one under [commands], such as test = "npm test"; where there is none: pairflow bubble create --no-tests --reason "…"',
  );

export const decideStart: Rule<"start"> = (batch, command) => {
  if (batch.state.lifecycle !== "CREATED")
    return refuse(
      "start.already",
      `${batch.state.bubbleId} was started before; it is ${batch.state.lifecycle}`,
      `pairflow bubble resume --id ${batch.state.bubbleId}`,
    );
  batch.write("START_REQUESTED", { seat: command.seat, ...getViaAndDoor(command) });
};

export const decideReply: Rule<"reply"> = (batch, command) => {
  const { state } = batch;
  const question = command.question
    ? state.questions.find((open) => open.id === command.question)
    : state.questions[0];
  if (!question) {
    const asked = command.question
      ? `${command.question} is not an open question`
      : "nothing waits for an answer";
    return refuse(
      "reply.no-question",
      `${asked}; ${state.bubbleId} is ${state.lifecycle}`,
      `pairflow bubble inbox --id ${state.bubbleId}`,
    );
  }
  const problem = checkReply(state, question, command);
  if (problem) return problem;
  applyAnswer(batch, question, command);
};

/**
 * The loop continues. A pause is ended first: then questions stay open, unless the command says what happens to changed
 * files.
 */
export function decideResume(
  batch: DecisionBatch,
  command: CommandOf<"resume">,
): Refusal | { readonly repeats: number } | undefined {
  const { state } = batch;
  if (command.parent && state.pause?.parent !== command.parent) return { repeats: state.seq };
  if (!state.pause) return resumeUnanswered(batch, command);
  const problem =
    checkPausedAbove(state, command) ?? (command.tree ? checkResume(state, command) : undefined);
  if (problem) return problem;
  endPause(batch, command);
  return command.tree ? resumeUnanswered(batch, command) : undefined;
}

/** Without an answer; questions that need a choice cannot be passed over. */
function resumeUnanswered(batch: DecisionBatch, command: CommandOf<"resume">): Refusal | undefined {
  const { state } = batch;
  const problem = checkResume(state, command);
  if (problem) return problem;
  const putBack = typeof command.tree === "object" ? command.tree.putBack : undefined;
  if (putBack !== undefined)
    batch.write("TREE_RESTORED", { tree: state.tree?.id ?? "", patch: putBack, via: getVia(command) });
  if (state.lifecycle !== "WAITING_HUMAN" || (putBack !== undefined && !findTreeQuestion(state)))
    return undefined;
  const how = putBack !== undefined ? "put-back" : (command.tree ?? "plain");
  batch.write("RESUMED", { how: String(how), message: command.message, via: getVia(command) });
  if (command.tree === "keep")
    goTo(
      batch,
      "kept",
      { to: findProducerStep(batch.state).name, round: "same", roles: "keep" },
      "a human keeps the changed files; continue from them",
    );
  else if (state.questions.some(({ kind }) => kind === "gates" || kind === "final-gates"))
    runGatesAgain(batch);
  else if (state.questions.some(({ kind }) => kind === "refused")) retryRefused(batch);
}

const findTreeQuestion = (state: State) =>
  state.questions.find((question) => question.kind === "tree-changed");

/** Questions a person may leave unanswered: the agent, or another try, is the answer. */
const passable: readonly QuestionKind[] = [
  "agent",
  "watchdog",
  "lost-agent",
  "undelivered",
  "refused",
  "gates",
  "final-gates",
  "base-gates",
  "context",
  "tree-changed",
];

/** Why the tree may not be put back now, or undefined. Asked before anything is restored: a turn's work is not a stray change. */
function checkPutBack(state: State): Refusal | undefined {
  const id = `pairflow bubble status --id ${state.bubbleId}`;
  if (!state.tree) return refuse("resume.nothing-to-restore", "no tree was handed over yet", id);
  if (state.turn && !findTreeQuestion(state))
    return refuse("resume.turn-running", `${state.turn.agent} has the turn; its files are not put back`, id);
  return expectState(
    state,
    ["RUNNING", "WAITING_HUMAN", "READY_FOR_APPROVAL", "APPROVED_FOR_COMMIT"],
    "resume",
  );
}

function checkResume(state: State, { tree }: CommandOf<"resume">): Refusal | undefined {
  const id = `pairflow bubble resume --id ${state.bubbleId}`;
  if (typeof tree === "object") {
    const refusal = checkPutBack(state);
    if (refusal || !findTreeQuestion(state)) return refusal;
  }
  const wrong = expectState(state, ["WAITING_HUMAN", "RUNNING", "PREPARING_WORKSPACE"], "resume");
  if (wrong) return wrong;
  if (tree === "keep" && !findTreeQuestion(state))
    return refuse("resume.nothing-changed", "no changed files wait for a decision", id);
  const choosing = state.questions.find((question) => !passable.includes(question.kind));
  if (choosing)
    return refuse(
      "resume.needs-choice",
      `${choosing.id} needs a choice: ${choosing.options?.map((option) => option.key).join(" | ")}`,
      `pairflow bubble reply --id ${state.bubbleId} --choose ${choosing.options?.[0]?.key} --message "…"`,
    );
  if (findTreeQuestion(state) && !tree)
    return refuse(
      "resume.tree-changed",
      "say what becomes of the changed files",
      `${id} --keep   or   --put-back`,
    );
}

export const overrideScope: Rule<"override-scope"> = (batch, command) => {
  if (!command.reason.trim())
    return refuse("scope.no-reason", "an override of the scope needs a reason", '--reason "…"');
  batch.write("SCOPE_OVERRIDDEN", {
    paths: [...command.paths],
    reason: command.reason,
    ...getViaAndDoor(command),
  });
};

/** A human waives a gate or a document check by its name: from now on it stops nothing, and the package says so. */
export const decideWaive: Rule<"waive"> = (batch, command) => {
  const known = batch.state.profile.gates.map(({ name }) => name);
  const unknown = command.gates.find((name) => !known.includes(name) && !name.startsWith("hook:"));
  if (unknown === "comprehension")
    return refuse("waive.comprehension", "that a human understands the document cannot be waived");
  if (unknown !== undefined || command.gates.length === 0)
    return refuse("waive.unknown", `there is no gate ${unknown ?? ""}`.trim(), `known: ${known.join(", ")}`);
  if (!command.reason.trim()) return refuse("waive.no-reason", "a waiver needs a reason", '--reason "…"');
  batch.write("GATES_WAIVED", {
    gates: [...command.gates],
    reason: command.reason,
    ...getViaAndDoor(command),
  });
  withdrawWaived(batch);
};

/** A question about gates that are all waived now is no question any more: the bubble continues. */
function withdrawWaived(batch: DecisionBatch): void {
  const kinds = ["gates", "base-gates"];
  const asked = batch.state.questions.find(({ kind, gates }) => kinds.includes(kind) && gates?.length);
  if (!asked?.gates?.every((name) => isWaived(batch.state, name))) return;
  batch.write("QUESTION_WITHDRAWN", { question: asked.id, why: "its gates are waived" });
  if (asked.kind === "gates") settleGates(batch, listRedGates(batch.state));
}

export function finish(batch: DecisionBatch): Refusal | undefined {
  const wrong = expectState(batch.state, ["COMMITTED"], "finish");
  if (wrong) return wrong;
  batch.write("FINISHED", {});
}

export const decideStop: Rule<"stop"> = (batch, command) => {
  batch.write(
    "CANCELLED",
    { reason: clip(command.reason, 2000) || "stopped by the operator", via: getVia(command) },
    { from: "human" },
  );
};
