// Which agent has which role, and what counts as alternation.
import type { Loop } from "../model/program.ts";
import type { State } from "../model/state.ts";
import { getLoop } from "./workflow-position.ts";

type Roles = Readonly<Record<string, string>>;

export function swapRoles(roles: Roles, { producer, critic }: Loop): Roles {
  return critic === undefined
    ? roles
    : { ...roles, [producer]: roles[critic] ?? "", [critic]: roles[producer] ?? "" };
}

/** The agents of a loop's roles, for the history of rounds. */
export function pickLoopRoles({ producer, critic }: Loop, roles: Roles): Roles {
  return {
    [producer]: roles[producer] ?? "",
    ...(critic === undefined ? {} : { [critic]: roles[critic] ?? "" }),
  };
}

/** The different agents that the loop's roles are played by; one means that alternation can only be weak. */
export function listLoopAgents(state: Pick<State, "roles" | "program" | "position">): string[] {
  const { producer, critic, chain = [] } = getLoop(state);
  const named = [state.roles[producer], critic === undefined ? undefined : state.roles[critic], ...chain];
  return [...new Set(named.filter((name): name is string => Boolean(name)))];
}

/** Every agent that has been the critic of a round so far. */
export function listPastCritics(state: Pick<State, "roundRoleHistory" | "program" | "position">): string[] {
  const { critic = "" } = getLoop(state);
  const seen = state.roundRoleHistory.map((round) => round[critic]);
  return [...new Set(seen.filter((name): name is string => typeof name === "string"))];
}
