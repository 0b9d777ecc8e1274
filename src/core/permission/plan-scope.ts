// What may be changed in a run: what its settings allow, and nothing that its plan excludes.
import type { BubbleConfig } from "../model/config.ts";
import type { State } from "../model/state.ts";
import { sortConstraints } from "../plan/constraints.ts";
import { findTaskPlan } from "../plan/tasks/child.ts";
import { intersectScopes } from "./scope-intersection.ts";

export function getEffectiveScope(
  state: Pick<State, "config" | "papers" | "program">,
): BubbleConfig["scope"] {
  const plan = state.papers?.plan?.value;
  if (!plan) return state.config.scope;
  const { constraints, topLevel } = findTaskPlan(plan, state.program.payload ?? {});
  return intersectScopes(state.config.scope, sortConstraints(constraints, topLevel).scope);
}
