// The referee: what a command does to a bubble. Pure: the same state, command and time give the same answer.

import type { Command } from "../model/command.ts";
import { parseDrafts } from "../model/record/envelope.ts";
import { refuse } from "../model/refusal.ts";
import type { State } from "../model/state.ts";
import { checkAuthority } from "../permission/authority.ts";
import { checkDriver } from "../permission/driver-place.ts";
import { checkGrant } from "../permission/proof/door.ts";
import { openBatch } from "./batch.ts";
import { askHuman } from "./decide/claims/ask-human.ts";
import { decideConverged } from "./decide/claims/converged.ts";
import { pass } from "./decide/claims/pass.ts";
import { decideCreate } from "./decide/create.ts";
import { decideChildReported, decideChildStarted, decideJoin } from "./decide/driver/children.ts";
import { decideGitChanged } from "./decide/driver/git-settings.ts";
import { decideHandoff } from "./decide/driver/handoff.ts";
import { lock, unlock } from "./decide/driver/locks.ts";
import { decidePackageWritten } from "./decide/driver/package.ts";
import { decidePairCorrupt, decidePairSession } from "./decide/driver/pair-state.ts";
import {
  decideClaimDriver,
  decideDelivered,
  decideTreeChanged,
  decideTurnSpawned,
  decideTurnStarted,
  decideWarn,
  decideWatchdog,
  decideWorkspaceFailed,
  decideWorkspaceReady,
  fail,
} from "./decide/driver/reports.ts";
import {
  continueStep,
  decideContextAssembled,
  decidePlanKept,
  decideTimeUp,
  decideWorkflowStarted,
} from "./decide/driver/steps.ts";
import {
  checkBudget,
  decideTurnEnded,
  decideTurnSession,
  decideTurnWaiting,
  decideUsage,
} from "./decide/driver/turn-end.ts";
import { decideBaseGates } from "./decide/gates/base.ts";
import { decideFinalGates } from "./decide/gates/final.ts";
import { decideGates } from "./decide/gates/results.ts";
import {
  configure,
  decideReply,
  decideResume,
  decideStart,
  decideStop,
  decideWaive,
  finish,
  overrideScope,
} from "./decide/human/operator.ts";
import { decidePause } from "./decide/human/pause.ts";
import { decideRedo } from "./decide/human/redo.ts";
import { decideApprove, decideCommit, decideRework } from "./decide/human/signing.ts";
import { decideBaseUpdated, decideUpdateBase } from "./decide/human/update-base.ts";
import type { RefereeDecision, Rule } from "./decision.ts";
import { isFinal } from "./lifecycle.ts";

const rules: { readonly [T in Exclude<Command["type"], "create">]: Rule<T> } = {
  configure,
  start: decideStart,
  "workspace-ready": decideWorkspaceReady,
  "workspace-failed": decideWorkspaceFailed,
  "claim-driver": decideClaimDriver,
  "turn-started": decideTurnStarted,
  "turn-spawned": decideTurnSpawned,
  "turn-ended": decideTurnEnded,
  "turn-session": decideTurnSession,
  "turn-waiting": decideTurnWaiting,
  usage: decideUsage,
  "check-budget": checkBudget,
  "go-on": continueStep,
  "context-assembled": decideContextAssembled,
  "workflow-started": decideWorkflowStarted,
  "plan-kept": decidePlanKept,
  "child-started": decideChildStarted,
  "child-reported": decideChildReported,
  joined: decideJoin,
  "time-up": decideTimeUp,
  "pair-session": decidePairSession,
  "pair-corrupt": decidePairCorrupt,
  lock,
  unlock,
  redo: decideRedo,
  "update-base": decideUpdateBase,
  "base-updated": decideBaseUpdated,
  pass,
  converged: decideConverged,
  "ask-human": askHuman,
  handoff: decideHandoff,
  "gates-ran": decideGates,
  "final-gates-ran": decideFinalGates,
  "base-gates-ran": decideBaseGates,
  "package-written": decidePackageWritten,
  delivered: decideDelivered,
  reply: decideReply,
  resume: decideResume,
  pause: decidePause,
  "override-scope": overrideScope,
  waive: decideWaive,
  warn: decideWarn,
  approve: decideApprove,
  "request-rework": decideRework,
  commit: decideCommit,
  finish,
  stop: decideStop,
  fail,
  "tree-changed": decideTreeChanged,
  "git-changed": decideGitChanged,
  watchdog: decideWatchdog,
};

export function decide(state: State | undefined, command: Command, at: string): RefereeDecision {
  const notTheirs = checkAuthority(command);
  if (notTheirs) return { drafts: [], refusal: notTheirs };
  if (command.type === "create") return checkDecision(decideCreate(state, command));
  if (!state)
    return {
      drafts: [],
      refusal: refuse("bubble.unknown", "there is no such bubble", "pairflow bubble list"),
    };
  if (isFinal(state.lifecycle) && command.type !== "child-reported")
    return { drafts: [], ...refuseAfterEnd(state, command) };
  const unheard = checkDriver(state, command) ?? checkGrant(state, command);
  if (unheard) return { drafts: [], refusal: unheard };
  const batch = openBatch(state, at);
  const rule = rules[command.type] as Rule<Command["type"] & keyof typeof rules>;
  const result = rule(batch, command as never);
  if (!result) return checkDecision({ drafts: batch.drafts });
  return "repeats" in result
    ? { drafts: [], repeats: result.repeats }
    : checkDecision({ drafts: batch.drafts, refusal: result });
}

/** Nothing leaves the referee that a log would not count: a text over its limit is a refusal, not a broken line. */
function checkDecision(decision: RefereeDecision): RefereeDecision {
  const drafts = parseDrafts(decision.drafts);
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
function refuseAfterEnd(state: State, command: Command): Pick<RefereeDecision, "refusal" | "repeats"> {
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
