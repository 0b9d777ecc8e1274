// One line about a run that a person waits for: who works, since when, the last sign, what it has cost so far.
import type { StatusView } from "../../../core/views/bubble/status.ts";
import { formatDollars, formatTokens } from "../../../core/views/bubble/usage.ts";
import { createInk, cut, type Look, toPlainLine } from "../../terminal/style.ts";
import { formatAge } from "../time.ts";

/** Undefined while there is nothing to wait for. */
export function renderLifeLine(view: StatusView, look: Look): string | undefined {
  const work = describeWork(view, look);
  if (work === undefined) return undefined;
  return createInk(look.colour).dim(cut(`  ${[work, ...describeSpent(view)].join(" · ")}`, look.width - 1));
}

function describeWork(view: StatusView, { now }: Look): string | undefined {
  const [gate, ...others] = view.gates.running;
  if (gate) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    const name = gate.name === "setup" ? gate.name : `gate ${gate.name}`;
    return [`${name}${more}`, formatAge(gate.since, now), toPlainLine(gate.last)].filter(Boolean).join(" · ");
  }
  if (view.state === "PREPARING_WORKSPACE") return "the worktree is made";
  const { turn, active_agent: agent, active_role: role, active_since: since, last_sign_at: sign } = view;
  if (!turn || !agent || turn.status !== "running" || view.paused) return undefined;
  const doing = toPlainLine(view.driver.doing ?? "");
  const isWords = doing !== "" && !/^(?:[a-z-]+:\S+ ?)+$/.test(doing);
  return [
    `${agent} ${role ?? ""}`.trim(),
    since ? formatAge(since, now) : "",
    sign ? `last sign ${formatAge(sign, now)} ago` : "",
    isWords ? doing : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function describeSpent({ usage }: StatusView): string[] {
  const tokens = usage.tokens.input + usage.tokens.output;
  return [
    ...(tokens > 0 ? [`${formatTokens(tokens)} tokens`] : []),
    ...(usage.usd === null ? [] : [formatDollars(usage.usd)]),
  ];
}
