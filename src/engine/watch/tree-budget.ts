// The budgets of a bubble hold for all that work for it. What children at work have used is read from their own records;
// a bubble that is about to spend more looks at every bubble above it first.
import { isAtWork } from "../../core/interpreter/children.ts";
import {
  addPrice,
  type BudgetLine,
  listBudgetLimits,
  listSpentBudgets,
  sum,
  sumWorkedMinutes,
} from "../../core/limits/budget.ts";
import type { Usage, UsedBudget } from "../../core/model/record/usage.ts";
import type { State } from "../../core/model/state.ts";
import { load } from "../handle/command.ts";
import { computeMeasuredNow } from "../world/stopwatch.ts";
import type { RecordWorld } from "../world/world.ts";

/** A bubble whose budget is used up, and what its children at work have used of it. */
export interface Overspent {
  readonly state: State;
  readonly children: UsedBudget;
  readonly lines: readonly BudgetLine[];
}

const nothing: UsedBudget = { total: { input: 0, output: 0 }, minutes: 0 };
const addUsed = (one: UsedBudget, other: UsedBudget): UsedBudget => ({
  total: sum(one.total, other.total),
  minutes: one.minutes + other.minutes,
});

/** The bubble itself, if its budget is used up by it and its children. */
export async function findOverspent(
  world: RecordWorld,
  state: State,
  running?: Usage,
): Promise<Overspent | undefined> {
  if (listBudgetLimits(state.config.budget).length === 0) return undefined;
  return weighBudget(world, state, await sumUsedByChildren(world, state), running);
}

/** The bubbles above it whose budgets are used up: until a human grants more, none of those below begins a turn. */
export async function findOverspentAbove(
  world: RecordWorld,
  state: State,
  running?: Usage,
): Promise<Overspent[]> {
  const unrecorded = running ? { total: addPrice(running, findSettings(state)), minutes: 0 } : nothing;
  const found: Overspent[] = [];
  for (let above = await findParent(world, state); above; above = await findParent(world, above)) {
    if (listBudgetLimits(above.config.budget).length === 0) continue;
    const children = addUsed(await sumUsedByChildren(world, above), unrecorded);
    const over = weighBudget(world, above, children);
    if (over) found.push(over);
  }
  return found;
}

/** A turn that may not begin because a budget above is used up. */
export async function isHeldBack(world: RecordWorld, state: State): Promise<boolean> {
  if (state.lifecycle !== "RUNNING" || state.turn?.status !== "due" || !state.parent) return false;
  return (await findOverspentAbove(world, state)).length > 0;
}

function weighBudget(
  world: RecordWorld,
  state: State,
  children: UsedBudget,
  running?: Usage,
): Overspent | undefined {
  const lines = listSpentBudgets(state, computeMeasuredNow(world, state), running, children);
  return lines.length > 0 ? { state, children, lines } : undefined;
}

/** What children have used that is not in the parent's sum yet, with all who work for them. */
async function sumUsedByChildren(world: RecordWorld, { children }: State): Promise<UsedBudget> {
  let used = nothing;
  for (const { bubble = "", counted = [] } of (children?.each ?? []).filter(isAtWork)) {
    const now = await loadIfKnown(world, bubble);
    const before = now?.lineage?.map((one) => one.bubble) ?? [];
    for (const id of [bubble, ...before].filter((one) => !counted.includes(one)))
      used = addUsed(used, await sumUsed(world, await loadIfKnown(world, id)));
  }
  return used;
}

async function sumUsed(world: RecordWorld, state: State | undefined): Promise<UsedBudget> {
  if (!state) return nothing;
  const own = {
    total: state.spent.total,
    minutes: sumWorkedMinutes(state, computeMeasuredNow(world, state)),
  };
  return addUsed(own, await sumUsedByChildren(world, state));
}

const findSettings = ({ config, turn }: State) => (turn ? config.agent[turn.agent] : undefined);

const findParent = async (world: RecordWorld, { parent }: State) =>
  parent ? loadIfKnown(world, parent.bubble) : undefined;

async function loadIfKnown(world: RecordWorld, bubble: string): Promise<State | undefined> {
  return (await world.records.exists(bubble)) ? (await load(world, bubble)).state : undefined;
}
