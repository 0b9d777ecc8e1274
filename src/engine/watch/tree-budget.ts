// The budgets of a bubble hold for all that work for it. What children at work have used is read from their own records;
// whoever is about to spend more looks at every bubble above it first.

import { isAtWork } from "../../core/interpreter/children.ts";
import {
  type BudgetLine,
  budgetsSpent,
  limitsOf,
  priced,
  sum,
  workedMinutes,
} from "../../core/limits/budget.ts";
import type { State } from "../../core/model/state.ts";
import type { Usage, Used } from "../../core/model/usage.ts";
import { load } from "../handle/handle.ts";
import { measuredNow } from "../world/stopwatch.ts";
import type { RecordWorld } from "../world/world.ts";

/** A bubble whose budget is used up, and what its children at work have used of it. */
export interface Overspent {
  readonly state: State;
  readonly children: Used;
  readonly lines: readonly BudgetLine[];
}

const nothing: Used = { total: { input: 0, output: 0 }, minutes: 0 };
const together = (one: Used, other: Used): Used => ({
  total: sum(one.total, other.total),
  minutes: one.minutes + other.minutes,
});

/** The bubble itself, if its budget is used up by it and its children. */
export async function overspent(
  world: RecordWorld,
  state: State,
  running?: Usage,
): Promise<Overspent | undefined> {
  if (limitsOf(state.config.budget).length === 0) return undefined;
  return weighed(world, state, await usedByChildren(world, state), running);
}

/** The bubbles above it whose budgets are used up: until a human grants more, none of those below begins a turn. */
export async function overspentAbove(
  world: RecordWorld,
  state: State,
  running?: Usage,
): Promise<Overspent[]> {
  const unrecorded = running ? { total: priced(running, settingsOf(state)), minutes: 0 } : nothing;
  const found: Overspent[] = [];
  for (let above = await parentOf(world, state); above; above = await parentOf(world, above)) {
    if (limitsOf(above.config.budget).length === 0) continue;
    const children = together(await usedByChildren(world, above), unrecorded);
    const over = weighed(world, above, children);
    if (over) found.push(over);
  }
  return found;
}

/** A turn that may not begin because a budget above is used up. */
export async function isHeldBack(world: RecordWorld, state: State): Promise<boolean> {
  if (state.lifecycle !== "RUNNING" || state.turn?.status !== "due" || !state.parent) return false;
  return (await overspentAbove(world, state)).length > 0;
}

function weighed(world: RecordWorld, state: State, children: Used, running?: Usage): Overspent | undefined {
  const lines = budgetsSpent(state, measuredNow(world, state), running, children);
  return lines.length > 0 ? { state, children, lines } : undefined;
}

/** What children have used that is not in the parent's sum yet, with all who work for them. */
async function usedByChildren(world: RecordWorld, { children }: State): Promise<Used> {
  let used = nothing;
  for (const { bubble = "", counted = [] } of (children?.each ?? []).filter(isAtWork)) {
    const now = await known(world, bubble);
    const before = now?.lineage?.map((one) => one.bubble) ?? [];
    for (const id of [bubble, ...before].filter((one) => !counted.includes(one)))
      used = together(used, await usedBy(world, await known(world, id)));
  }
  return used;
}

async function usedBy(world: RecordWorld, state: State | undefined): Promise<Used> {
  if (!state) return nothing;
  const own = { total: state.spent.total, minutes: workedMinutes(state, measuredNow(world, state)) };
  return together(own, await usedByChildren(world, state));
}

const settingsOf = ({ config, turn }: State) => (turn ? config.agent[turn.agent] : undefined);

const parentOf = async (world: RecordWorld, { parent }: State) =>
  parent ? known(world, parent.bubble) : undefined;

async function known(world: RecordWorld, bubble: string): Promise<State | undefined> {
  return (await world.records.exists(bubble)) ? (await load(world, bubble)).state : undefined;
}
