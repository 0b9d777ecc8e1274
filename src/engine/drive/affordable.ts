// What a bubble may still do within its own budgets and those of the bubbles above it.
import type { Effect } from "../../core/bubble/due/effect.ts";
import { listDueEffects } from "../../core/bubble/due.ts";
import { describeBudgetLines, mayBeStopped } from "../../core/limits/budget.ts";
import type { State } from "../../core/model/state.ts";
import { handle } from "../handle/command.ts";
import { findOverspent, findOverspentAbove } from "../watch/tree-budget.ts";
import type { World } from "../world/world.ts";

/** A hard limit that is reached stops the bubble before anything more is spent. */
export async function stopOverBudget(world: World, state: State, driver: string): Promise<State> {
  const over = mayBeStopped(state) ? await findOverspent(world, state) : undefined;
  if (!over) return state;
  const actor = { kind: "driver", id: driver } as const;
  const { children } = over;
  const { state: after } = await handle(world, state.bubbleId, { type: "check-budget", actor, children });
  return after ?? state;
}

/** What is owed, without a turn that a spent budget above holds back: there a human is asked, and here the turn ends. */
export async function listAffordable(world: World, state: State, driver: string): Promise<readonly Effect[]> {
  const effects = listDueEffects(state);
  const { turn } = state;
  if (!turn || turn.status === "claimed" || !mayBeStopped(state) || !state.parent) return effects;
  const above = await findOverspentAbove(world, state);
  const [first] = above;
  if (!first) return effects;
  const actor = { kind: "driver", id: driver } as const;
  for (const { state: its, children } of above)
    if (mayBeStopped(its)) await handle(world, its.bubbleId, { type: "check-budget", actor, children });
  if (turn.status === "running") {
    const detail = `the budget of ${first.state.bubbleId} is used up: ${describeBudgetLines(first.lines)}`;
    const { id, attempt } = turn;
    const end = { type: "turn-ended", actor, turn: id, attempt, outcome: "over-budget", detail } as const;
    await handle(world, state.bubbleId, end);
  }
  return effects.filter(({ kind }) => kind !== "start-turn" && kind !== "watch-turn");
}
