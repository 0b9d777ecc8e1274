// What a bubble has used, in values and in words. Unknown is said, never guessed.
import type { State } from "../model/state.ts";
import type { Usage } from "../model/usage.ts";
import { budgetLines, workedMinutes } from "../policy/budget.ts";

export function usageView(state: State, now: string) {
  const { total, byAgent, unknown, unpriced } = state.spent;
  return {
    tokens: {
      input: total.input,
      output: total.output,
      cached: total.cached ?? null,
      /** Some attempts reported only a part of what they used. */
      ...(total.at_least ? { at_least: true } : {}),
    },
    usd: total.usd ?? null,
    minutes: Number(workedMinutes(state, now).toFixed(2)),
    by_agent: byAgent,
    /** Attempts nobody reported figures for: the sums are without them. */
    unknown_attempts: unknown,
    /** Attempts without a figure in money although others had one. */
    unpriced_attempts: total.usd === undefined ? 0 : unpriced,
    budgets: budgetLines(state, now),
  };
}

export function usageText(usage: Usage): string {
  const cached = usage.cached ? ` (${tokens(usage.cached)} cached)` : "";
  const money = usage.usd === undefined ? "" : ` · ${dollars(usage.usd)}`;
  const full = usage.context === undefined ? "" : ` · context ${Math.round(usage.context * 100)} % full`;
  const more = usage.at_least ? " or more" : "";
  return `${tokens(usage.input)} in${cached}, ${tokens(usage.output)} out${more}${money}${full}`;
}

export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

export const dollars = (usd: number) => `$${usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;
