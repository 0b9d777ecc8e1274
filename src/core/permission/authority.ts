// Who may say what. Agents claim, people decide, drivers report; the shell checks terminals and process trees,
// and this rule holds whatever the shell let through.
import type { Command } from "../model/command.ts";
import type { Envelope } from "../model/record/envelope.ts";
import { type Refusal, refuse } from "../model/refusal.ts";

/** Every command has a row, or it does not compile: nothing is allowed because nobody thought of it. */
const lowest: { readonly [T in Command["type"]]: "agent" | "driver" | "person" } = {
  // Claims of a turn; `delivered` too: the sign that a message was read may come out of the agent's own process.
  pass: "agent",
  converged: "agent",
  "ask-human": "agent",
  delivered: "agent",
  // What hooks in the agent's own process tell about it.
  "turn-session": "agent",
  "turn-waiting": "agent",
  "turn-ended": "agent",
  // Decisions.
  reply: "person",
  resume: "person",
  "override-scope": "person",
  waive: "person",
  approve: "person",
  "request-rework": "person",
  commit: "person",
  stop: "person",
  pause: "person",
  unlock: "person",
  redo: "person",
  "update-base": "person",
  // Reports of effects, and what makes and starts a bubble: a parent's driver does that for its children.
  "base-gates-ran": "driver",
  "base-updated": "driver",
  "check-budget": "driver",
  "child-reported": "driver",
  "child-started": "driver",
  "claim-driver": "driver",
  configure: "driver",
  "context-assembled": "driver",
  create: "driver",
  fail: "driver",
  "final-gates-ran": "driver",
  finish: "driver",
  "gates-ran": "driver",
  "git-changed": "driver",
  "go-on": "driver",
  handoff: "driver",
  joined: "driver",
  lock: "driver",
  "package-written": "driver",
  "pair-corrupt": "driver",
  "pair-session": "driver",
  "plan-kept": "driver",
  start: "driver",
  "time-up": "driver",
  "tree-changed": "driver",
  "turn-spawned": "driver",
  "turn-started": "driver",
  usage: "driver",
  warn: "driver",
  watchdog: "driver",
  "workflow-started": "driver",
  "workspace-failed": "driver",
  "workspace-ready": "driver",
};

/** Why this actor may not give this command at all, or undefined. */
export function checkAuthority({ type, actor }: Command): Refusal | undefined {
  if (actor.kind === "agent" && lowest[type] !== "agent")
    return refuse(
      "operator.inside-agent",
      `${type} is an operator's command; an agent cannot use it`,
      'pairflow ask-human --question "…"',
    );
  if (actor.kind === "driver" && lowest[type] === "person")
    return refuse("operator.driver", `${type} is a person's decision; a driver cannot take it`);
}

/**
 * Decisions that grant something. Stops and pauses are not here: they grant nothing, and the driver of a parent puts them to
 * its children.
 */
const granting: ReadonlySet<Envelope["type"]> = new Set([
  "HUMAN_REPLY",
  "APPROVAL_DECISION",
  "COMMITTED",
  "GATES_WAIVED",
  "SCOPE_OVERRIDDEN",
  "UNLOCKED",
  "STEP_REDONE",
  "BASE_UPDATE_WANTED",
  "RESUMED",
  "TREE_RESTORED",
]);

/**
 * Whether only a person can have caused a line. Where people and machines write through different doors of one server, it counts
 * through the people's door alone.
 */
export function isHumanDecision({ type }: Pick<Envelope, "type">): boolean {
  return granting.has(type);
}
