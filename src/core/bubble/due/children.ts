// Effects about children: those that may start now, those that nobody waits for any more, and those that pause with their parent.
import {
  findUnsettledFailure,
  hasEnoughChildren,
  isAtWork,
  joinIsDue,
  mayRunNow,
} from "../../interpreter/children.ts";
import type { State } from "../../model/state.ts";
import type { Effect } from "./effect.ts";

/** A child that nobody waits for is stopped as ever; the others are paused. */
export function listStopsAndPauses(state: State): Effect[] {
  const { children, pause, position } = state;
  if (!children || !pause) return [];
  if (children.joined || children.step !== position.step) return listStops(state);
  return children.each.filter(isAtWork).map(
    ({ child, bubble = "" }): Effect => ({
      kind: "pause-child",
      key: `pause-child:${pause.seq}.${child.key}.${bubble}`,
      bubble,
    }),
  );
}

export function listChildEffects(state: State): Effect[] {
  const { children } = state;
  if (!children) return [];
  if (children.joined || children.step !== state.position.step) return listStops(state);
  if (state.lifecycle !== "RUNNING") return [];
  if (!hasEnoughChildren(children))
    return mayRunNow(children).map(({ child }) => ({
      kind: "child",
      key: `child:${children.seq}.${child.key}`,
      child,
    }));
  if (findUnsettledFailure(children))
    return [{ kind: "go-on", key: `go-on:${state.position.seq}.${state.seq}`, entered: state.position.seq }];
  return joinIsDue(state) ? [{ kind: "join", key: `join:${children.seq}` }] : listStops(state);
}

/** Children nobody waits for any more: enough are back, the step was left, or the parent has ended. */
export function listStops({ children }: State): Effect[] {
  if (!children) return [];
  return children.each.filter(isAtWork).map(
    ({ child, bubble = "" }): Effect => ({
      kind: "stop-child",
      key: `stop-child:${children.seq}.${child.key}.${bubble}`,
      child,
      bubble,
    }),
  );
}
