// Who may say what. Agents claim, people decide, drivers report; the shell checks terminals and process trees,
// and this rule holds whatever the shell let through.
import type { Command } from "../model/command.ts";
import { type Refusal, refuse } from "../model/refusal.ts";

/** `delivered` too: the sign that a message was read may come out of the agent's own process. */
const agentsMay: readonly Command["type"][] = [
  "pass",
  "converged",
  "ask-human",
  "delivered",
  // What hooks in the agent's own process tell about it.
  "turn-session",
  "turn-waiting",
  "turn-ended",
];
const onlyPeople: readonly Command["type"][] = [
  "reply",
  "resume",
  "override-scope",
  "waive",
  "approve",
  "request-rework",
  "commit",
  "stop",
  "pause",
  "unlock",
  "redo",
];

/** Why this actor may not give this command at all, or undefined. */
export function notEntitled({ type, actor }: Command): Refusal | undefined {
  if (actor.kind === "agent" && !agentsMay.includes(type)) {
    return refuse(
      "operator.inside-agent",
      `${type} is an operator's command; an agent cannot use it`,
      'pairflow ask-human --question "…"',
    );
  }
  if (actor.kind === "driver" && onlyPeople.includes(type))
    return refuse("operator.driver", `${type} is a person's decision; a driver cannot take it`);
  return undefined;
}
