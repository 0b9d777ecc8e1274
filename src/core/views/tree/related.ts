// The bubbles that belong to a task, one after the other, and what all of them have used.
import type { State } from "../../model/state.ts";
import type { Around, Cost } from "./node.ts";

/** The bubbles around a run that its tree shows: children, parts, predecessors and successors. */
export function listRelatedBubbles(state: State): string[] {
  const named = [
    ...Object.values(state.parts ?? {}).map(({ bubble }) => bubble),
    ...(state.children?.each ?? []).map(({ bubble }) => bubble ?? ""),
    ...(state.lineage ?? []).map(({ bubble }) => bubble),
    state.result?.to ?? "",
  ];
  return [...new Set(named)].filter((bubble) => bubble !== "" && bubble !== state.bubbleId);
}

/** The bubble that began the task, and those that continued in its place. */
export function listSuccession({ children, parts }: State, key: string, { states }: Around): State[] {
  const known = children?.each.find(({ child }) => child.key === key)?.bubble ?? parts?.[key]?.bubble;
  const newest = known === undefined ? undefined : states.get(known);
  if (!newest) return [];
  const before = (newest.lineage ?? []).flatMap(({ bubble }) => states.get(bubble) ?? []);
  const own = before.filter(({ parent }) => parent?.key === key && parent.bubble === newest.parent?.bubble);
  return [...own, ...listSuccessors(newest, states, new Set(own.map(({ bubbleId }) => bubbleId)))];
}

/** A bubble that was routed knows who continues before its parent does. */
function listSuccessors(state: State, states: Around["states"], seen: ReadonlySet<string>): State[] {
  const next = state.result?.to === undefined ? undefined : states.get(state.result.to);
  const known = new Set([...seen, state.bubbleId]);
  return next && !known.has(next.bubbleId) ? [state, ...listSuccessors(next, states, known)] : [state];
}

/** What a bubble and those below it have used: who has reported is in its figures already. */
export function sumCost(state: State, around: Around): Cost {
  const { total } = state.spent;
  const own = { tokens: total.input + total.output, usd: total.usd ?? null };
  const open = (state.children?.each ?? []).flatMap(({ bubble, report }) => {
    const child = report || bubble === undefined ? undefined : around.states.get(bubble);
    return child && child.bubbleId !== state.bubbleId ? [sumCost(child, around)] : [];
  });
  return sumCosts([own, ...open]);
}

export function sumCosts(costs: readonly Cost[]): Cost {
  const priced = costs.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return {
    tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
  };
}
