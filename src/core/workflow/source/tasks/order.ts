// The order of tasks: each after those it depends on, otherwise as they are written.

import { suggestWord } from "../../../text/nearest.ts";
import type { WorkflowProblem } from "../../problem.ts";

export type Dependencies = Readonly<Record<string, { readonly depends_on: readonly string[] }>>;

/** The keys in an order in which they can be done; tasks of a circle come last, as they are written. */
export function sortByDependencies(tasks: Dependencies): string[] {
  const left = new Set(Object.keys(tasks));
  const done: string[] = [];
  for (let next = free(tasks, left); next !== undefined; next = free(tasks, left)) {
    done.push(next);
    left.delete(next);
  }
  return [...done, ...left];
}

function free(tasks: Dependencies, left: ReadonlySet<string>): string | undefined {
  for (const key of left) if (tasks[key]?.depends_on.every((other) => !left.has(other))) return key;
  return undefined;
}

/** Everything a task rests on, directly or by way of others. */
function collectDependencies(tasks: Dependencies, key: string): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const other of tasks[name]?.depends_on ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      visit(other);
    }
  };
  visit(key);
  return found;
}

/** Are there two tasks of which neither has to wait for the other? */
export function canRunSideBySide(tasks: Dependencies): boolean {
  const keys = Object.keys(tasks);
  const below = new Map(keys.map((key) => [key, collectDependencies(tasks, key)]));
  return keys.some((one, i) =>
    keys.slice(i + 1).some((other) => !below.get(one)?.has(other) && !below.get(other)?.has(one)),
  );
}

export function listOrderProblems(tasks: Dependencies): WorkflowProblem[] {
  const keys = Object.keys(tasks);
  return keys.flatMap((key) => [
    ...(tasks[key]?.depends_on ?? []).flatMap((other, i) => checkDependency(keys, key, other, i)),
    ...findCircle(tasks, key),
  ]);
}

function checkDependency(keys: readonly string[], key: string, other: string, i: number): WorkflowProblem[] {
  const path = ["tasks", key, "depends_on", i];
  if (other === key) return [{ path, message: `${key} depends on itself` }];
  return keys.includes(other)
    ? []
    : [
        {
          path,
          message: `no task is called ${other}${suggestWord(other, keys)}`,
          hint: "depends_on lists other tasks of this workflow",
        },
      ];
}

/** Said once for each circle, at its first task. */
function findCircle(tasks: Dependencies, key: string): WorkflowProblem[] {
  const way = findWayBack(tasks, key);
  const isFirst = way && Object.keys(tasks).find((name) => way.includes(name)) === key;
  if (!isFirst || way.length < 2) return [];
  return [
    {
      path: ["tasks", key, "depends_on"],
      message: `tasks depend on one another in a circle: ${[...way, key].join(" → ")}`,
      hint: "take one of these dependencies away",
    },
  ];
}

function findWayBack(tasks: Dependencies, start: string): string[] | undefined {
  const seen = new Set<string>();
  const visit = (name: string, way: readonly string[]): string[] | undefined => {
    for (const other of tasks[name]?.depends_on ?? []) {
      if (other === start) return [...way];
      if (seen.has(other)) continue;
      seen.add(other);
      const found = visit(other, [...way, other]);
      if (found) return found;
    }
    return undefined;
  };
  return visit(start, [start]);
}
