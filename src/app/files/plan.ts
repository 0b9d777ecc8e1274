// The files of a plan read strictly, with every problem at its line and column.

import type { PlanReader } from "../../adapters/plans/files.ts";
import { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";
import { check, type Issue, type ValidationResult } from "../../core/model/value/validate.ts";
import { type PlanDocument, tidy } from "../../core/plan/document.ts";
import { parsePlan } from "../../core/plan/markdown.ts";
import { parseJson } from "../../core/text/json.ts";
import { buildUsageError } from "../host/usage.ts";
import { buildFileError, type FileProblem, formatFileSpot, spotAt, type ValuePath } from "./problems.ts";
import { addSubject } from "./sentence.ts";
import { readYaml } from "./yaml.ts";

const longest = 1_000_000;

/** A plan's own files can be put back or derived again; others are shown how they are written. */
function getHint(file: string): string {
  const [, slug, name = ""] = /^\.pairflow\/plans\/([^/]+)\/(.*)$/.exec(file) ?? [];
  if (slug === undefined)
    return file.endsWith(".json") ? "pairflow schema tasks --example" : "pairflow plan --help";
  if (name.startsWith("plan.")) return `pairflow plan edit ${slug} --put-back`;
  return name === "tasks.json" ? `pairflow tasks ${slug} --again` : `git log -p -- ${file}`;
}

export const planReader: PlanReader = {
  plan(text, file) {
    const plan = tidy(readJson(text, file, (value) => check(Plan, value)));
    if (plan.title === "") throw buildUsageError("plan.bad-file", `${file}: title is empty`, getHint(file));
    return plan;
  },
  markdown: readPlanMarkdown,
  tasks: (text, file) => readJson(text, file, checkTasks),
  amendments: (text, file) => readJson(text, file, checkAmendments),
};

/** The document, or a usage error with all that is wrong with it. */
export function readPlanMarkdown(text: string, file: string): PlanDocument {
  const parsed = parsePlan(text);
  if (parsed.ok) return parsed.document;
  const [message = `${file} is no plan`, ...details] = parsed.problems.map(
    (problem) => `${formatFileSpot(file, { line: problem.line, column: 1 })}: ${problem.message}`,
  );
  throw buildUsageError("plan.bad-file", message, getHint(file), details);
}

function checkAmendments(value: unknown): ValidationResult<Amendment[]> {
  if (!Array.isArray(value)) return { ok: false, issues: [{ path: [], message: "must be a list" }] };
  const checked = value.map((item) => check(Amendment, item));
  const issues = checked.flatMap((one, i): Issue[] =>
    one.ok ? [] : one.issues.map((issue) => ({ ...issue, path: [i, ...issue.path] })),
  );
  const items = checked.flatMap((one) => (one.ok ? [one.value] : []));
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: items };
}

/** JSON that a schema takes; otherwise one usage error with all problems, each at its place. */
function readJson<T>(text: string, file: string, checked: (value: unknown) => ValidationResult<T>): T {
  const result = checked(parseValue(text, file));
  if (result.ok) return result.value;
  const { places } = readYaml(text, file, "plan.bad-file", longest);
  throw buildFileError(file, result.issues.map(toProblem), places, getHint(file));
}

/** The list of tasks alone, without what stands around it in tasks.json. */
export const readTaskList = (text: string, file: string, plan: string): PlanTasks =>
  readJson(text, file, (list) => {
    const checked = checkTasks({ plan, from: "planner", tasks: list });
    if (checked.ok) return checked;
    return { ok: false, issues: checked.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })) };
  });

function checkTasks(value: unknown): ValidationResult<PlanTasks> {
  const checked = check(PlanTasks, value);
  const list = (value as { tasks?: unknown } | null)?.tasks;
  if (checked.ok || !Array.isArray(list) || list.length > 0) return checked;
  const issues = checked.issues.map((issue) =>
    issue.path.length === 1 && issue.path[0] === "tasks"
      ? { ...issue, message: "there is no task in it" }
      : issue,
  );
  return { ok: false, issues };
}

function toProblem({ path, message, unknownKey }: Issue): FileProblem {
  const words = unknownKey === undefined ? addSubject(path, message) : `there is no key ${unknownKey} here`;
  return {
    code: "plan.bad-file",
    message: words,
    path: path as ValuePath,
    part: unknownKey ? "key" : "value",
  };
}

function parseValue(text: string, file: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const spot = spotAt(text, position === undefined ? text.length : Number(position));
    const what = message.replace(/ (?:in JSON )?at position \d+.*$/s, "").replaceAll(/\s+/g, " ");
    throw buildUsageError("plan.bad-file", `${formatFileSpot(file, spot)}: ${what}`, getHint(file));
  }
}
