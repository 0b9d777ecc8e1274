// The locked artifacts of a run, as values for screens and packages.
import type { State } from "../model/state.ts";

export function lockViews({ locks = [] }: State) {
  return locks.map(({ path, sha256, task, decidedBy, at }) => ({
    path,
    sha256,
    task: task ?? null,
    decided_by: decidedBy,
    time: at,
  }));
}
