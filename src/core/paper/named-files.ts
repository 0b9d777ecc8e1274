// The files a paper names, as paths or globs: what work by it would change, as far as anybody can know before it is done.

import { Constraints, PlanText } from "../model/plan.ts";
import { check } from "../model/value/validate.ts";
import { sortConstraints } from "../plan/constraints.ts";
import { parseExecutionTasks } from "../plan/tasks/execution.ts";
import { isObject } from "../schema/absent.ts";
import type { PaperValue } from "./kind.ts";

/** Lists and tasks first; a plan that names no scope is known by the files in its numbered lines. */
export function listNamedFiles(value: PaperValue): string[] {
  const { task, tasks, steps, files_to_modify, files_to_create } = value;
  const stepFiles = listObjects(steps).flatMap(({ file }) => listTexts([file]));
  const taskFiles = listObjects([task, ...listObjects(tasks)]).flatMap(({ files }) => listTexts(files));
  const own = [...listTexts(files_to_modify), ...listTexts(files_to_create), ...stepFiles, ...taskFiles];
  return [...new Set([...own, ...listScope(value), ...listExecutionFiles(value)])];
}

function listScope({ constraints }: PaperValue): readonly string[] {
  const read = check(Constraints, constraints ?? {});
  return read.ok ? sortConstraints(read.value).paths.in : [];
}

function listExecutionFiles({ execution, mission }: PaperValue): string[] {
  const read = check(PlanText.entries.execution, execution ?? "");
  if (!read.ok) return [];
  const plan = { execution: read.value, mission: typeof mission === "string" ? mission : "" };
  return parseExecutionTasks(plan).flatMap(({ files }) => files);
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const listObjects = (value: unknown) => list(value).filter(isObject);
const listTexts = (value: unknown): string[] =>
  list(value).filter((one): one is string => typeof one === "string");
