// From a workflow document (already parsed into plain values) to a checked program. Every problem names the path
// of the value it is about; the reader of the file turns the path into line and column.
import * as v from "valibot";
import type { BubbleConfig } from "../model/config.ts";
import { Program } from "../model/program.ts";
import { describeIssue } from "../model/value/issue-text.ts";
import { buildCatalogue } from "./catalogue.ts";
import { checkCondition } from "./condition.ts";
import { interpolate } from "./interpolate.ts";
import type { WorkflowProblem } from "./problem.ts";
import { checkSoundness } from "./soundness.ts";
import { checkShape, hasTasks } from "./source/document.ts";
import type { ProgramDraft, WrittenText } from "./source/draft.ts";
import { expandSteps } from "./source/steps/expand.ts";
import { StepsDocument } from "./source/steps/schema.ts";
import { expandTasks } from "./source/tasks/expand.ts";
import { TasksDocument } from "./source/tasks/schema.ts";
import { checkSteps } from "./steps-check.ts";
import { checkReferences } from "./template.ts";

export { listNeededRoles } from "./source/agents.ts";
export { isSwitchedOff } from "./source/steps/expand.ts";

export type LoadResult =
  | { readonly ok: true; readonly program: Program; readonly warnings: readonly WorkflowProblem[] }
  | { readonly ok: false; readonly problems: readonly WorkflowProblem[] };

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
): LoadResult {
  const filled = interpolate(document, { bubble: config, settings: payload.settings ?? {} });
  if (!filled.ok) return filled;
  const shape = checkShape(filled.value);
  if (shape.length > 0) return { ok: false, problems: shape };
  const draft = expand(filled.value, config, fileName);
  const given = Object.keys(payload).length > 0 ? { payload } : {};
  const parsed = v.safeParse(Program, { ...draft.program, ...given });
  if (!parsed.success)
    return {
      ok: false,
      problems: [...draft.problems, ...parsed.issues.map((issue) => locateProblem(issue, draft))],
    };
  const problems = [...draft.problems, ...checkProgram(parsed.output, draft)];
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, program: parsed.output, warnings: draft.warnings };
}

/** The id that a document gives itself, with the settings filled in; undefined: it says none. */
export function findId(document: unknown, config: BubbleConfig): string | undefined {
  const id = typeof document === "object" && document !== null && "id" in document ? document.id : undefined;
  const filled = interpolate(id, { bubble: config });
  return filled.ok && typeof filled.value === "string" ? filled.value : undefined;
}

function expand(document: unknown, config: BubbleConfig, fileName: string): ProgramDraft {
  return hasTasks(document)
    ? expandTasks(v.parse(TasksDocument, document), config, fileName)
    : expandSteps(v.parse(StepsDocument, document), config, fileName);
}

/** A problem with the program, at the place of the source that it comes from. */
function locateProblem(issue: v.BaseIssue<unknown>, { place }: ProgramDraft): WorkflowProblem {
  const [root, step, ...keys] = (issue.path ?? []).map(({ key }) => key as string | number);
  if (root === "steps" && typeof step === "number")
    return { path: place(step, ...keys), message: describeIssue(issue) };
  const path =
    root === undefined ? [] : [root, ...(step === undefined || root === "tasks" ? [] : [step]), ...keys];
  return { path, message: describeIssue(issue) };
}

function checkProgram(program: Program, draft: ProgramDraft): WorkflowProblem[] {
  const catalogue = buildCatalogue(program);
  const wording = ({ as, value, path }: WrittenText): WorkflowProblem[] =>
    as === "condition"
      ? checkCondition(String(value), catalogue).map(({ message, column }) => ({
          path,
          message: column > 1 ? `${message} (character ${column} of the condition)` : message,
        }))
      : checkReferences(value, catalogue).map((problem) => ({
          ...problem,
          path: [...path, ...problem.path],
        }));
  return [
    ...checkSteps(program, draft),
    ...checkSoundness(program, draft),
    ...draft.written.flatMap(wording),
  ];
}
