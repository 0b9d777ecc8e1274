// Hard limits in tokens, money and minutes. Reaching one is never success: it is a question to a human.
import type { AgentSettings, BubbleConfig } from "../model/config.ts";
import type { Usage, UsedBudget } from "../model/record/usage.ts";
import type { Spent, State } from "../model/state.ts";
import { parseTime } from "../model/value/time.ts";
import { getBubbleTime } from "./pause.ts";
import { getTurnStart } from "./watchdog.ts";

/** What a new bubble may use before a human is asked, unless the project's settings or flags say otherwise. */
export const defaultBudget = { max_tokens: 5_000_000, max_minutes: 240 } as const;

const limitNames = ["max_tokens", "max_usd", "max_minutes"] as const;
type Budget = BubbleConfig["budget"];

/** The limits that are set, in a fixed order; what is switched off is none. */
export function listBudgetLimits(
  budget: Budget,
): { readonly name: BudgetLine["name"]; readonly limit: number }[] {
  return limitNames.flatMap((name) => {
    const limit = budget[name];
    return typeof limit === "number" ? [{ name, limit }] : [];
  });
}

export const nothingSpent: Spent = {
  total: { input: 0, output: 0 },
  byAgent: {},
  unknown: 0,
  unpriced: 0,
  workedMs: 0,
};

/** The sums with one more attempt. */
export function spend(spent: Spent, agent: string, usage: Usage): Spent {
  const known = spent.byAgent[agent];
  return {
    ...spent,
    total: sum(spent.total, usage),
    byAgent: { ...spent.byAgent, [agent]: known ? sum(known, usage) : usage },
    unpriced: spent.unpriced + (usage.usd === undefined ? 1 : 0),
  };
}

export function sum(a: Usage, b: Usage): Usage {
  const cached = (a.cached ?? 0) + (b.cached ?? 0);
  const usd = (a.usd ?? 0) + (b.usd ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    ...(a.cached !== undefined || b.cached !== undefined ? { cached } : {}),
    ...(a.usd !== undefined || b.usd !== undefined ? { usd } : {}),
    ...(b.context === undefined ? {} : { context: b.context }),
    ...(a.at_least || b.at_least ? { at_least: true as const } : {}),
  };
}

/** The CLI's own figure, or what configured rates make of its tokens. Unknown stays unknown. */
export function addPrice(usage: Usage, settings: AgentSettings | undefined): Usage {
  if (usage.usd !== undefined) return usage;
  const input = settings?.usd_per_million_input;
  const output = settings?.usd_per_million_output;
  if (typeof input !== "number" || typeof output !== "number") return usage;
  return { ...usage, usd: (usage.input * input + usage.output * output) / 1_000_000 };
}

export interface BudgetLine {
  readonly name: "max_tokens" | "max_usd" | "max_minutes";
  readonly used: number;
  readonly limit: number;
}

/**
 * Every configured budget with what is used of it. `running` is the attempt under way and `children` those at work: what they
 * have used is not on this record yet.
 */
export function listBudgetLines(
  state: State,
  at: string,
  running?: Usage,
  children?: UsedBudget,
): BudgetLine[] {
  // A driver that takes over hears the figures again that its predecessor has recorded.
  const isCounted = state.turn !== undefined && state.turn.measured === state.turn.attempt;
  const known = running && !isCounted ? addPrice(running, findSettings(state)) : undefined;
  const own = known ? sum(state.spent.total, known) : state.spent.total;
  const total = children ? sum(own, children.total) : own;
  const used = {
    max_tokens: total.input + total.output,
    max_usd: total.usd ?? 0,
    max_minutes: sumWorkedMinutes(state, at) + (children?.minutes ?? 0),
  };
  return listBudgetLimits(state.config.budget).map(({ name, limit }) => ({
    name,
    used: used[name],
    limit: limit * (1 + state.extraBudgets),
  }));
}

const findSettings = ({ config, turn }: State) => (turn ? config.agent[turn.agent] : undefined);

/** How long the running turn has worked since it was last counted; not while a human is asked or the bubble is paused. */
export function measureWorkingMs(state: State, at: string): number {
  const began = getTurnStart(state);
  if (began === undefined) return 0;
  // Nobody works much longer than a turn may last: then the clock was set meanwhile.
  return Math.min(
    Math.max(0, parseTime(getBubbleTime(state, at)) - began),
    2 * state.config.turn_timeout_minutes * 60_000,
  );
}

/** Minutes agents had a turn, the running one included. */
export function sumWorkedMinutes(state: State, at: string): number {
  return (state.spent.workedMs + measureWorkingMs(state, at)) / 60_000;
}

/** Only a turn spends, its own or a child's: what is handed over already may take its course. */
export function mayBeStopped(state: State): boolean {
  const { lifecycle, turn } = state;
  const spends = turn?.status === "due" || turn?.status === "running" || hasChildrenAtWork(state);
  return lifecycle === "RUNNING" && spends;
}

/** Children it waits for, whose spending is not on its record yet. */
export function hasChildrenAtWork({ children, position }: State): boolean {
  if (!children || children.joined || children.step !== position.step) return false;
  return children.each.some(({ report }) => report === undefined);
}

/** The budgets that are used up. */
export function listSpentBudgets(
  state: State,
  at: string,
  running?: Usage,
  children?: UsedBudget,
): BudgetLine[] {
  return listBudgetLines(state, at, running, children).filter(({ used, limit }) => used >= limit);
}

/** The moment the running turn uses up the minutes, if it does. */
export function findMinutesEnd(state: State): number | undefined {
  const limit = state.config.budget.max_minutes;
  const began = getTurnStart(state);
  if (typeof limit !== "number" || began === undefined || state.pause) return undefined;
  return began + limit * (1 + state.extraBudgets) * 60_000 - state.spent.workedMs;
}

const units = { max_tokens: "tokens", max_usd: "US dollars", max_minutes: "minutes" } as const;

export function describeBudgetLines(lines: readonly BudgetLine[]): string {
  return lines
    .map(({ name, used, limit }) => `${roundUp(used)} of ${roundUp(limit)} ${units[name]}`)
    .join(", ");
}

/** Small amounts of money keep their first two digits. */
const roundUp = (value: number) =>
  value >= 100 ? Math.round(value) : value >= 1 ? Number(value.toFixed(2)) : Number(value.toPrecision(2));
