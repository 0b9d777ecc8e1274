// Which machine may continue a bubble: the labels that what is owed next asks for. Between turns and gates, any machine will do.
import type { Gate } from "../model/gate.ts";
import type { State } from "../model/state.ts";
import { listAgentLabels } from "../state/hosts.ts";
import type { Effect } from "./due/effect.ts";
import { listDueEffects } from "./due.ts";

const gateRuns: readonly Effect["kind"][] = ["gates", "base-gates", "final-gates"];

/** What is done on a worktree that may first have to be made on the machine. */
const onWorktree: readonly Effect["kind"][] = ["prepare", "start-turn", ...gateRuns];

/** Whether a machine that lacks a label, or has to be left, shall not begin this. */
export const mayBelongElsewhere = ({ kind }: Effect): boolean => onWorktree.includes(kind);

/** The labels that the next turn, the next gates or the setup ask for. */
export function listNeededLabels(state: State): string[] {
  // What follows once the worktree is here: the machine that makes it anew is the one that will work on it.
  const { driver: _driver, ...here } = state;
  const due = listDueEffects(here);
  const runsGates = due.some(({ kind }) => gateRuns.includes(kind));
  const usesWorktree = state.turn !== undefined || due.some(mayBelongElsewhere);
  const own = runsGates ? listGateLabels(state.profile.gates) : listTurnLabels(state);
  return [...new Set([...own, ...(usesWorktree ? (state.config.setup_needs ?? []) : [])])];
}

/** Everything that a bubble may ask for at some time. */
export function listLabelsOfBubble({ config, profile }: Pick<State, "config" | "profile">): string[] {
  const agents = Object.values(config.agents).flatMap((agent) => listAgentLabels(config, agent));
  return [...new Set([...agents, ...listGateLabels(profile.gates), ...(config.setup_needs ?? [])])];
}

const listTurnLabels = ({ config, turn }: State): string[] =>
  turn ? listAgentLabels(config, turn.agent) : [];

const listGateLabels = (gates: readonly Gate[]): string[] => gates.flatMap(({ needs = [] }) => needs);
