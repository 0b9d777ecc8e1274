// Who holds which role, and what counts as alternation.
import type { State } from "../model/state.ts";

type Roles = Readonly<Record<string, string>>;

export function swapped(roles: Roles, producer: string, critic: string): Roles {
  return { ...roles, [producer]: roles[critic] ?? "", [critic]: roles[producer] ?? "" };
}

/** The different agents that the loop's two roles are played by; one means that alternation can only be weak. */
export function loopAgents(state: Pick<State, "roles" | "program">): string[] {
  const { producer, critic } = state.program.loop;
  return [
    ...new Set([state.roles[producer], state.roles[critic]].filter((name): name is string => Boolean(name))),
  ];
}

/** Every agent that has been the critic of a round so far. */
export function criticsSoFar(state: Pick<State, "roundRoleHistory" | "program">): string[] {
  const seen = state.roundRoleHistory.map((round) => round[state.program.loop.critic]);
  return [...new Set(seen.filter((name): name is string => typeof name === "string"))];
}
