// The files of a plan read strictly, with every problem at its line and column.
import type { PlanReader } from "../../adapters/plans/files.ts";
import { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";
import { type Checked, check, type Issue } from "../../core/model/validate.ts";
import { type PlanDocument, tidy } from "../../core/plan/document.ts";
import { parsePlan } from "../../core/plan/markdown.ts";
import { plainly } from "../files/plain-words.ts";
import { type FileProblem, fileError, type Path, placeIn, spotAt } from "../files/problems.ts";
import { readYaml } from "../files/yaml.ts";
import { usageError } from "../usage.ts";

const longest = 1_000_000;
const hint = "correct it in the file; git diff .pairflow/plans shows what was changed";

export const planReader: PlanReader = {
  plan(text, file) {
    const plan = tidy(readJson(text, file, (value) => check(Plan, value)));
    if (plan.title === "") throw usageError("plan.bad-file", `${file}: title is empty`, hint);
    return plan;
  },
  markdown: readPlanMarkdown,
  tasks: (text, file) => readJson(text, file, (value) => check(PlanTasks, value)),
  amendments: (text, file) => readJson(text, file, checkAmendments),
};

/** The document, or a usage error with all that is wrong with it. */
export function readPlanMarkdown(text: string, file: string): PlanDocument {
  const parsed = parsePlan(text);
  if (parsed.ok) return parsed.document;
  const [message = `${file} is no plan`, ...details] = parsed.problems.map(
    (problem) => `${placeIn(file, { line: problem.line, column: 1 })}: ${problem.message}`,
  );
  throw usageError("plan.bad-file", message, "pairflow explore makes a plan to fill in", details);
}

function checkAmendments(value: unknown): Checked<Amendment[]> {
  if (!Array.isArray(value)) return { ok: false, issues: [{ path: [], message: "must be a list" }] };
  const checked = value.map((item) => check(Amendment, item));
  const issues = checked.flatMap((one, i): Issue[] =>
    one.ok ? [] : one.issues.map((issue) => ({ ...issue, path: [i, ...issue.path] })),
  );
  const items = checked.flatMap((one) => (one.ok ? [one.value] : []));
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: items };
}

/** JSON that a schema takes; otherwise one usage error with all problems, each at its place. */
function readJson<T>(text: string, file: string, checked: (value: unknown) => Checked<T>): T {
  const result = checked(parseJson(text, file));
  if (result.ok) return result.value;
  const { places } = readYaml(text, file, "plan.bad-file", longest);
  throw fileError(file, result.issues.map(problemOf), places, hint);
}

function problemOf({ path, message, unknownKey }: Issue): FileProblem {
  const words = unknownKey === undefined ? plainly(path, message) : `there is no key ${unknownKey} here`;
  return { code: "plan.bad-file", message: words, path: path as Path, part: unknownKey ? "key" : "value" };
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const spot = spotAt(text, position === undefined ? text.length : Number(position));
    const what = message.replace(/ (?:in JSON )?at position \d+.*$/s, "");
    throw usageError("plan.bad-file", `${placeIn(file, spot)}: ${what}`, hint);
  }
}
