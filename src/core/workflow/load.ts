// From a workflow document (already parsed into plain values) to a checked program. Every problem names the path
// of the value it is about; whoever read the file turns the path into line and column.
import * as v from "valibot";
import type { BubbleConfig } from "../model/config.ts";
import { issueWords } from "../model/issue-words.ts";
import { Program } from "../model/program.ts";
import { catalogueFor } from "./catalogue.ts";
import { checkCondition } from "./condition.ts";
import { interpolate } from "./interpolate.ts";
import type { Problem } from "./problem.ts";
import { unsound } from "./soundness.ts";
import { hasTasks, shapeProblems } from "./source/document.ts";
import type { Draft, Written } from "./source/draft.ts";
import { expandSteps } from "./source/steps.ts";
import { StepsDocument } from "./source/steps-schema.ts";
import { expandTasks } from "./source/tasks.ts";
import { TasksDocument } from "./source/tasks-schema.ts";
import { stepProblems } from "./steps-check.ts";
import { checkReferences } from "./template.ts";

export { neededRoles, unboundNames } from "./source/agents.ts";
export { isSwitchedOff } from "./source/steps.ts";

export type Loaded =
  | { readonly ok: true; readonly program: Program; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Payload = Readonly<Record<string, unknown>>;

/**
 * Checks the document, fills in `${bubble.…}` and `${settings.…}` values and returns the program the bubble is pinned to. A document
 * without an id has the name of its file.
 */
export function loadWorkflow(
  document: unknown,
  config: BubbleConfig,
  payload: Payload = {},
  fileName = "workflow",
): Loaded {
  const filled = interpolate(document, { bubble: config, settings: payload.settings ?? {} });
  if (!filled.ok) return filled;
  const shape = shapeProblems(filled.value);
  if (shape.length > 0) return { ok: false, problems: shape };
  const draft = expand(filled.value, config, fileName);
  const given = Object.keys(payload).length > 0 ? { payload } : {};
  const parsed = v.safeParse(Program, { ...draft.program, ...given });
  if (!parsed.success)
    return {
      ok: false,
      problems: [...draft.problems, ...parsed.issues.map((issue) => sourced(issue, draft))],
    };
  const problems = [...draft.problems, ...checkProgram(parsed.output, draft)];
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, program: parsed.output, warnings: draft.warnings };
}

function expand(document: unknown, config: BubbleConfig, fileName: string): Draft {
  return hasTasks(document)
    ? expandTasks(v.parse(TasksDocument, document), config, fileName)
    : expandSteps(v.parse(StepsDocument, document), config, fileName);
}

/** A problem with the program, at the place of the source that it comes from. */
function sourced(issue: v.BaseIssue<unknown>, { place }: Draft): Problem {
  const [root, step, ...keys] = (issue.path ?? []).map(({ key }) => key as string | number);
  if (root === "steps" && typeof step === "number")
    return { path: place(step, ...keys), message: issueWords(issue) };
  const path =
    root === undefined ? [] : [root, ...(step === undefined || root === "tasks" ? [] : [step]), ...keys];
  return { path, message: issueWords(issue) };
}

function checkProgram(program: Program, draft: Draft): Problem[] {
  const catalogue = catalogueFor(program);
  const wording = ({ as, value, path }: Written): Problem[] =>
    as === "condition"
      ? checkCondition(String(value), catalogue).map(({ message, column }) => ({
          path,
          message: column > 1 ? `${message} (character ${column} of the condition)` : message,
        }))
      : checkReferences(value, catalogue).map((problem) => ({
          ...problem,
          path: [...path, ...problem.path],
        }));
  return [...stepProblems(program, draft), ...unsound(program, draft), ...draft.written.flatMap(wording)];
}
