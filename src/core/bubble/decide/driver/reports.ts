// What drivers report: workspaces, turns that start and end, deliveries, silence.

import { begin } from "../../../interpreter/interpret.ts";
import { tellTask } from "../../../interpreter/task-line.ts";
import { resumeCommand } from "../../../limits/pause.ts";
import { maxDeliveries, maxWorkspaceFailures } from "../../../limits/rounds.ts";
import { measureWatchdogLeft } from "../../../limits/watchdog.ts";
import type { CommandOf } from "../../../model/command.ts";
import { refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { handOverOption, rejectOption, retryOptions } from "../../../questions/common-options.ts";
import { isWorktreeElsewhere } from "../../../state/hosts.ts";
import { getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { mayMove } from "../../lifecycle.ts";
import { askAboutSetup } from "../gates/base.ts";
import { endTurn, endTurnOfLostHost } from "./turn-end.ts";

export const decideWorkspaceReady: Rule<"workspace-ready"> = (batch, command) => {
  const isMoved = batch.state.lifecycle === "RUNNING" && isWorktreeElsewhere(batch.state);
  if (batch.state.lifecycle !== "PREPARING_WORKSPACE" && !isMoved) return refuseNotDue("the workspace");
  const { actor: _actor, type: _type, ...payload } = command;
  batch.write("WORKSPACE_READY", { ...payload, notes: [...payload.notes] });
  if (isMoved) return undefined;
  tellTask(batch);
  begin(batch);
  if (payload.problem) askAboutSetup(batch, payload.problem);
};

export const decideWorkspaceFailed: Rule<"workspace-failed"> = (batch, command) => {
  if (batch.state.lifecycle !== "PREPARING_WORKSPACE") return refuseNotDue("the workspace");
  const attempt = batch.state.workspaceFailures + 1;
  const message = clip(command.message, 3900);
  batch.write("WORKSPACE_FAILED", { code: command.code, message, attempt });
  if (attempt >= maxWorkspaceFailures)
    batch.write("FAILED", { code: command.code, message: `the workspace could not be prepared: ${message}` });
};

export const decideClaimDriver: Rule<"claim-driver"> = (batch, command) => {
  if (command.actor.kind !== "driver") return refuseNotDue("a driver's claim");
  const { pid, host, seat, actor } = command;
  batch.write("DRIVER_CLAIMED", {
    driver: actor.id,
    pid,
    host,
    seat,
    attempt: (batch.state.driver?.attempt ?? 0) + 1,
  });
  endTurnOfLostHost(batch);
};

/** Claims the next attempt of a turn. Only the driver that holds the newest claim may, so two drivers never start one turn. */
export const decideTurnStarted: Rule<"turn-started"> = (batch, command) => {
  const { turn, driver } = batch.state;
  const mine = command.actor.kind === "driver" && command.actor.id === driver?.id;
  if (!mine || batch.state.lifecycle !== "RUNNING" || batch.state.pause)
    return refuseNotDue(`turn ${command.turn}`);
  if (turn?.id !== command.turn || turn.status !== "due" || command.attempt !== turn.attempt + 1)
    return refuseNotDue(`turn ${command.turn}.${command.attempt}`);
  const { actor: _actor, type: _type, ...payload } = command;
  batch.write(
    "TURN_STARTED",
    { ...payload, step: turn.step, role: turn.role, agent: turn.agent },
    { to: turn.agent, refs: [`artifact://${command.prompt}`] },
  );
};

export const decideTurnSpawned: Rule<"turn-spawned"> = (batch, command) => {
  const { turn, attempt, pid, tty } = command;
  if (batch.state.turn?.id !== turn || batch.state.turn.attempt !== attempt)
    return refuseNotDue(`turn ${turn}.${attempt}`);
  batch.write("TURN_SPAWNED", { turn, attempt, pid, ...(tty ? { tty } : {}) });
};

export const decideDelivered: Rule<"delivered"> = (batch, command) => {
  const { message, turn, status, detail } = command;
  const owed = batch.state.deliveries.find((delivery) => delivery.message === message);
  if (!owed && !isReportedLate(batch.state, command)) return refuseNotDue(`the delivery of ${message}`);
  if (status === "undelivered" && owed && owed.tries < maxDeliveries)
    return refuseNotDue("giving up this delivery");
  batch.write("DELIVERY", { message, turn, status, ...(detail ? { detail } : {}) });
  if (status === "undelivered" && owed && batch.state.lifecycle === "RUNNING")
    batch.write("HUMAN_QUESTION", {
      question: `A message for ${batch.state.turn?.agent ?? "the agent"} was put into its pane ${owed.tries} times and never read: ${clip(owed.text, 300)}`,
      kind: "undelivered",
      turn,
      options: retryOptions(batch.state, "starts the turn again with the message in its prompt"),
    });
};

/** It was put into the pane, and the agent read it and handed over first: it happened, so it is on the record. */
function isReportedLate({ turn, lastTurn }: State, command: CommandOf<"delivered">): boolean {
  const told = [turn, lastTurn].find((known) => known?.id === command.turn);
  return command.status === "sent" && (told?.underWay?.includes(command.message) ?? false);
}

export const fail: Rule<"fail"> = (batch, command) => {
  const { lifecycle, bubbleId } = batch.state;
  if (!mayMove(lifecycle, "FAILED"))
    return refuse(
      "fail.wrong-state",
      `${bubbleId} is ${lifecycle}: there is nothing yet that could fail`,
      `pairflow bubble start --id ${bubbleId}`,
    );
  batch.write("FAILED", { code: command.code, message: clip(command.message, 4000) });
};

/** Only where a tree was handed over: before that there is nothing to restore. */
const putBackOption = { key: "put-back", does: "restores the tree; what is undone is kept as a patch" };

/** Files changed while no agent was at work: a human decides about them. */
export const decideTreeChanged: Rule<"tree-changed"> = (batch, command) => {
  const { lifecycle, turn, tree } = batch.state;
  const isWithChildren = getCurrentStep(batch.state)?.kind === "children";
  if (lifecycle !== "RUNNING" || isWithChildren || (turn && turn.status !== "due"))
    return refuseNotDue("the question about changed files");
  const { expected, found, files } = command;
  batch.write("TREE_CHANGED", { expected, found, files: files.slice(0, 50) });
  batch.write("HUMAN_QUESTION", {
    question: `Files changed while ${describeWhen(turn)}: ${files.slice(0, 10).join(", ")}. ${tree ? "Keep them or put them back?" : "Continue with them?"}`,
    kind: "tree-changed",
    options: [
      { key: "keep", does: "reopens the producer's turn on the files as they are now" },
      ...(tree ? [putBackOption] : []),
    ],
  });
};

/** A turn that was begun and waits for a human has its agent's work in the worktree, and perhaps a person's. */
const describeWhen = (turn: State["turn"]) =>
  turn && turn.attempt > 0
    ? `the turn of ${turn.agent} (${turn.role}) waited for a human`
    : "no agent had the turn";

/** Something that stops nothing, such as a view that could not be written. */
export const decideWarn: Rule<"warn"> = (batch, { code, message }) => {
  // What git did beside the work is said once, however often it is seen.
  if (batch.state.gitNotes?.some((note) => note.message === clip(message, 1000))) return;
  batch.write("WARNING", { code: clip(code, 80), message: clip(message, 1000) });
};

/** The time check. Nothing is written unless the deadline has really passed. */
export const decideWatchdog: Rule<"watchdog"> = (batch, command) => {
  const { state, at } = batch;
  const { lastSignAt, ages } = command;
  if (state.pause)
    return refuse(
      "watchdog.paused",
      `${state.bubbleId} is paused: its clocks stand still`,
      resumeCommand(state.bubbleId),
    );
  const measured = ages && command.actor.kind === "driver" ? { ages } : {};
  const due = measureWatchdogLeft(state, { now: at, ...(lastSignAt ? { lastSignAt } : {}), ...measured });
  const turn = state.turn;
  if (!due || !turn)
    return refuse(
      "watchdog.no-turn",
      `no agent has a running turn (${state.lifecycle})`,
      `pairflow bubble status --id ${state.bubbleId}`,
    );
  if (due.leftMs > 0)
    return refuse("watchdog.not-due", `${turn.agent} has ${Math.ceil(due.leftMs / 1000)} s left`);
  if (command.actor.kind === "driver" && turn.seat === "process" && due.reason === "silent") {
    const silent = `it gave no sign of life for ${state.config.watchdog_timeout_minutes} min and was ended`;
    endTurn(batch, turn, { outcome: "hung", detail: silent });
    return undefined;
  }
  const minutes =
    due.reason === "silent" ? state.config.watchdog_timeout_minutes : state.config.turn_timeout_minutes;
  const what =
    due.reason === "silent"
      ? `gave no sign of life for ${minutes} min`
      : `has had its turn for ${minutes} min without handing over`;
  batch.write("HUMAN_QUESTION", {
    question: `${turn.agent} (${turn.role}, round ${state.round}) ${what}. Nudge it, restart it, or look into its pane.`,
    kind: "watchdog",
    turn: turn.id,
    options: [
      { key: "wait", does: "gives it the same time again; your message is delivered to it" },
      { key: "restart", does: "ends its process and starts the turn again" },
      ...handOverOption(state),
      rejectOption(state),
    ],
  });
};
