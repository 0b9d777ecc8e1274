// What a bubble has used, in values and in words. Unknown is said, never guessed.
import { type BudgetLine, listBudgetLimits, listBudgetLines, sumWorkedMinutes } from "../../limits/budget.ts";
import type { BubbleConfig } from "../../model/config.ts";
import type { Usage } from "../../model/record/usage.ts";
import type { State } from "../../model/state.ts";

export function buildUsageView(state: State, now: string) {
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
    minutes: Number(sumWorkedMinutes(state, now).toFixed(2)),
    by_agent: byAgent,
    /** Attempts nobody reported figures for: the sums are without them. */
    unknown_attempts: unknown,
    /** Attempts without a figure in money although others had one. */
    unpriced_attempts: total.usd === undefined ? 0 : unpriced,
    budgets: listBudgetLines(state, now),
  };
}

export function formatUsage(usage: Usage): string {
  const cached = usage.cached ? ` (${formatTokens(usage.cached)} cached)` : "";
  const money = usage.usd === undefined ? "" : ` · ${formatDollars(usage.usd)}`;
  const full = usage.context === undefined ? "" : ` · context ${Math.round(usage.context * 100)} % full`;
  const more = usage.at_least ? " or more" : "";
  return `${formatTokens(usage.input)} in${cached}, ${formatTokens(usage.output)} out${more}${money}${full}`;
}

export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

export const formatDollars = (usd: number) => `$${usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;

/** `5M tokens, 240 agent minutes`: what a bubble and all that work for it may use before a human is asked. */
export function formatBudget(budget: BubbleConfig["budget"]): string {
  const limits = listBudgetLimits(budget).map(
    ({ name, limit }) => `${describeAmount(name, limit)}${units[name]}`,
  );
  return limits.length > 0 ? limits.join(", ") : "no limit";
}

/** How to change it, for a person who did not ask for a limit. */
export const suggestBudgetFlags = (budget: BubbleConfig["budget"]): string =>
  listBudgetLimits(budget).length > 0
    ? "; then you are asked (--max-tokens, --max-minutes, --no-budget)"
    : "";

/** `41k of 5M tokens, 12 of 240 agent minutes`. */
export function formatBudgetProgress(lines: readonly BudgetLine[]): string {
  return lines
    .map(
      ({ name, used, limit }) =>
        `${describeAmount(name, used)} of ${describeAmount(name, limit)}${units[name]}`,
    )
    .join(", ");
}

const units = { max_tokens: " tokens", max_usd: "", max_minutes: " agent minutes" } as const;

function describeAmount(name: BudgetLine["name"], value: number): string {
  if (name === "max_usd") return formatDollars(value);
  if (name === "max_minutes") return String(Number(value.toFixed(value < 10 ? 1 : 0)));
  return value < 10_000 ? String(Math.round(value)) : formatTokens(value).replace(/\.?0+(?=[kM])/, "");
}
