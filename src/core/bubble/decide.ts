// The referee: what a command does to a bubble. Pure: the same state, command and time give the same answer.

import type { Batch } from "../interpreter/batch.ts";
import type { Command, CommandOf } from "../model/command.ts";
import { readable } from "../model/envelope.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import type { State } from "../model/state.ts";
import { notEntitled } from "../permission/authority.ts";
import { openBatch } from "./batch.ts";
import { askHuman } from "./decide/ask-human.ts";
import { baseGatesRan } from "./decide/base-gates.ts";
import { childReported, childStarted, joined } from "./decide/children.ts";
import { converged } from "./decide/converged.ts";
import { create } from "./decide/create.ts";
import {
  claimDriver,
  delivered,
  fail,
  treeChanged,
  turnSpawned,
  turnStarted,
  warn,
  watchdog,
  workspaceFailed,
  workspaceReady,
} from "./decide/driver.ts";
import { finalGatesRan } from "./decide/final-gates.ts";
import { gatesRan } from "./decide/gates.ts";
import { gitChanged } from "./decide/git-settings.ts";
import { handoff } from "./decide/handoff.ts";
import { lock, unlock } from "./decide/locks.ts";
import { configure, finish, overrideScope, reply, resume, start, stop, waive } from "./decide/operator.ts";
import { packageWritten } from "./decide/package.ts";
import { pairCorrupt, pairSession } from "./decide/pair-state.ts";
import { pass } from "./decide/pass.ts";
import { pause } from "./decide/pause.ts";
import { redo } from "./decide/redo.ts";
import { approve, commit, requestRework } from "./decide/signing.ts";
import { contextAssembled, goOn, planKept, timeUp, workflowStarted } from "./decide/steps.ts";
import { checkBudget, turnEnded, turnSession, turnWaiting, usage } from "./decide/turn-end.ts";
import type { Decision } from "./decision.ts";
import { isFinal } from "./lifecycle.ts";

type Rule<T extends Command["type"]> = (
  batch: Batch,
  command: CommandOf<T>,
) => Refusal | { repeats: number } | undefined;

const rules: { readonly [T in Exclude<Command["type"], "create">]: Rule<T> } = {
  configure,
  start,
  "workspace-ready": workspaceReady,
  "workspace-failed": workspaceFailed,
  "claim-driver": claimDriver,
  "turn-started": turnStarted,
  "turn-spawned": turnSpawned,
  "turn-ended": turnEnded,
  "turn-session": turnSession,
  "turn-waiting": turnWaiting,
  usage,
  "check-budget": checkBudget,
  "go-on": goOn,
  "context-assembled": contextAssembled,
  "workflow-started": workflowStarted,
  "plan-kept": planKept,
  "child-started": childStarted,
  "child-reported": childReported,
  joined,
  "time-up": timeUp,
  "pair-session": pairSession,
  "pair-corrupt": pairCorrupt,
  lock,
  unlock,
  redo,
  pass,
  converged,
  "ask-human": askHuman,
  handoff,
  "gates-ran": gatesRan,
  "final-gates-ran": finalGatesRan,
  "base-gates-ran": baseGatesRan,
  "package-written": packageWritten,
  delivered,
  reply,
  resume,
  pause,
  "override-scope": overrideScope,
  waive,
  warn,
  approve,
  "request-rework": requestRework,
  commit,
  finish,
  stop,
  fail,
  "tree-changed": treeChanged,
  "git-changed": gitChanged,
  watchdog,
};

export function decide(state: State | undefined, command: Command, at: string): Decision {
  const notTheirs = notEntitled(command);
  if (notTheirs) return { drafts: [], refusal: notTheirs };
  if (command.type === "create") return checked(create(state, command));
  if (!state)
    return {
      drafts: [],
      refusal: refuse("bubble.unknown", "there is no such bubble", "pairflow bubble list"),
    };
  if (isFinal(state.lifecycle) && command.type !== "child-reported")
    return { drafts: [], ...over(state, command) };
  const batch = openBatch(state, at);
  const rule = rules[command.type] as Rule<Command["type"] & keyof typeof rules>;
  const result = rule(batch, command as never);
  if (!result) return checked({ drafts: batch.drafts });
  return "repeats" in result
    ? { drafts: [], repeats: result.repeats }
    : checked({ drafts: batch.drafts, refusal: result });
}

/** Nothing leaves the referee that a log would not count: a text over its limit is a refusal, not a broken line. */
function checked(decision: Decision): Decision {
  const drafts = readable(decision.drafts);
  if (typeof drafts !== "string") return { ...decision, drafts };
  return {
    drafts: [],
    refusal:
      decision.refusal ?? refuse("command.malformed", drafts, "shorten it; hand long texts in as a file"),
  };
}

/**
 * A finished bubble takes no commands, beside word from a child that was stopped with it: what that has used counts. A
 * repeated commit of the same bytes is no error.
 */
function over(state: State, command: Command): Pick<Decision, "refusal" | "repeats"> {
  if (command.type === "commit" && state.commit?.id === command.commit) return { repeats: state.seq };
  const why = state.end ? `: ${state.end.message}` : "";
  return {
    refusal: refuse(
      "bubble.ended",
      `${state.bubbleId} is ${state.lifecycle}${why}`,
      `pairflow bubble status --id ${state.bubbleId}`,
    ),
  };
}
