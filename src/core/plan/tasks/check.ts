// What is wrong with a list of tasks, in sentences; in which order they come; and which of them can be begun now.

import { longestLine, longestPath, mostCovered, type Plan, type PlanTask } from "../../model/plan.ts";
import { clip } from "../../model/value/sizes.ts";
import { parseSuccessCriteria } from "../success.ts";
import { mayOverlap } from "./overlap.ts";

export interface TaskBudget {
  readonly maxTasks: number;
  readonly maxDescription: number;
  readonly maxFiles: number;
  readonly maxCriteria: number;
}

export const usualBudget: TaskBudget = { maxTasks: 20, maxDescription: 2000, maxFiles: 20, maxCriteria: 10 };

/** Empty when the tasks can be executed. */
export function checkPlanTasks(
  tasks: readonly PlanTask[],
  plan: Pick<Plan, "mission">,
  budget: Partial<TaskBudget> = {},
): string[] {
  const limits = { ...usualBudget, ...budget };
  return [
    ...(tasks.length === 0 ? ["there is no task"] : []),
    ...(tasks.length > limits.maxTasks
      ? [`${tasks.length} tasks; a plan has at most ${limits.maxTasks}: split the plan`]
      : []),
    ...findRepeatedWords(tasks.map(({ id }) => id)).map((id) => `two tasks are called ${id}`),
    ...tasks.flatMap((task) => listDependencyProblems(task, tasks)),
    ...listCycleProblems(tasks),
    ...listCoverageProblems(tasks, plan),
    ...tasks.flatMap((task) => listSizeProblems(task, limits)),
  ];
}

const findRepeatedWords = (words: readonly string[]): string[] => [
  ...new Set(words.filter((word, i) => words.indexOf(word) !== i)),
];

function listDependencyProblems({ id, depends_on }: PlanTask, tasks: readonly PlanTask[]): string[] {
  const unknown = depends_on.filter((other) => !tasks.some((task) => task.id === other));
  return unknown.map((other) => `${id} depends on ${other}, which is no task`);
}

function listCoverageProblems(tasks: readonly PlanTask[], plan: Pick<Plan, "mission">): string[] {
  const wanted = parseSuccessCriteria(plan);
  const covered = new Set(tasks.flatMap(({ covers }) => covers));
  const known = wanted.map(({ id }) => id).join(", ") || "none";
  return [
    ...wanted
      .filter(({ id }) => !covered.has(id))
      .map(({ id, text }) => `no task covers the success criterion ${id}: ${shortenText(text)}`),
    ...tasks.flatMap(({ id, covers }) =>
      covers
        .filter((name) => !wanted.some((one) => one.id === name))
        .map((name) => `${id} covers ${name}, which is no success criterion of the plan (it has ${known})`),
    ),
  ];
}

const shortenText = (text: string): string => clip(text, 80);

function listSizeProblems(task: PlanTask, limits: TaskBudget): string[] {
  const { id, description, files, criteria, covers } = task;
  const tooMany = (number: number, limit: number, what: string) =>
    number > limit ? [`${id} has ${number} ${what}; at most ${limit}: split it`] : [];
  return [
    ...(description.trim() === "" ? [`${id} says nothing about what is to be done`] : []),
    ...tooMany(description.length, limits.maxDescription, "characters in its description"),
    ...tooMany(files.length, limits.maxFiles, "files"),
    ...tooMany(criteria.length, limits.maxCriteria, "criteria"),
    ...tooMany(getLongest(files), longestPath, "characters in a path"),
    ...tooMany(getLongest(criteria.flatMap(listParts)), longestLine, "characters in a part of a criterion"),
    ...tooMany(covers.length, mostCovered, "success criteria to fulfil"),
  ];
}

const getLongest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));
const listParts = ({ given, when, then }: PlanTask["criteria"][number]): string[] => [given, when, then];

function listCycleProblems(tasks: readonly PlanTask[]): string[] {
  const cycle = findCycleIn(tasks);
  return cycle ? [`tasks wait for one another: ${cycle.join(" → ")}`] : [];
}

/** The first circle, as the ids one comes by; undefined when there is none. */
function findCycleIn(tasks: readonly PlanTask[]): string[] | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    const seen = path.indexOf(id);
    if (seen >= 0) return [...path.slice(seen), id];
    if (done.has(id)) return undefined;
    for (const next of byId.get(id)?.depends_on ?? []) {
      const found = visit(next, [...path, id]);
      if (found) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const { id } of tasks) {
    const found = visit(id, []);
    if (found) return found;
  }
  return undefined;
}

/** Each task after those it depends on; otherwise in the order of the list. Tasks in a circle come last. */
export function orderTasks(tasks: readonly PlanTask[]): PlanTask[] {
  const known = new Set(tasks.map(({ id }) => id));
  const placed = new Set<string>();
  const left = [...tasks];
  const ordered: PlanTask[] = [];
  while (left.length > 0) {
    const free = left.findIndex(({ depends_on }) =>
      depends_on.every((id) => placed.has(id) || !known.has(id)),
    );
    const [next] = left.splice(Math.max(0, free), 1);
    if (!next) break;
    placed.add(next.id);
    ordered.push(next);
  }
  return ordered;
}

/**
 * The tasks that can be begun side by side now: everything they depend on is done, and no two of them, nor one of those
 * that are running, could change the same file.
 */
export function listReadyPlanTasks(
  tasks: readonly PlanTask[],
  done: ReadonlySet<string>,
  running: ReadonlySet<string> = new Set(),
): PlanTask[] {
  const busy = tasks.filter(({ id }) => running.has(id));
  const chosen: PlanTask[] = [];
  for (const task of orderTasks(tasks)) {
    const isOpen = !done.has(task.id) && !running.has(task.id);
    const isFree = task.depends_on.every((id) => done.has(id));
    if (isOpen && isFree && ![...busy, ...chosen].some((other) => mayOverlap(task, other))) chosen.push(task);
  }
  return chosen;
}
