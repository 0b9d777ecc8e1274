// The forms a workflow can be written in, and the schema of each piece of a document.
import * as v from "valibot";
import { describeIssue } from "../../model/value/issue-text.ts";
import { isObject } from "../../schema/absent.ts";
import type { WorkflowProblem } from "../problem.ts";
import type { SourcePath } from "./draft.ts";
import { Duration } from "./duration.ts";
import { ActionStep, isActionStep, KindStep, StepsDocument } from "./steps/schema.ts";
import { TasksDocument } from "./tasks/schema.ts";

/** A part of a document with the words it may have. */
export interface DocumentPiece {
  readonly path: SourcePath;
  readonly value: unknown;
  /** For messages that list the words that are known at each level. */
  readonly schema: unknown;
}

type Table = Readonly<Record<string, unknown>>;

export const hasTasks = (document: unknown): document is Table =>
  isObject(document) && Object.hasOwn(document, "tasks");

/** The document itself, and each of its steps: which words those know depends on the form they are written in. */
export function splitDocument(document: unknown): DocumentPiece[] {
  if (hasTasks(document)) return [{ path: [], value: document, schema: TasksDocument }];
  const steps = isObject(document) && Array.isArray(document.steps) ? document.steps : [];
  return [
    { path: [], value: document, schema: StepsDocument },
    ...steps.map((value: unknown, i) => ({
      path: ["steps", i],
      value,
      schema: isActionStep(value) ? ActionStep : KindStep,
    })),
  ];
}

/** What is wrong with the form of a document; steps with kinds are read as parts of the program. */
export function checkShape(document: unknown): WorkflowProblem[] {
  if (hasTasks(document) && Object.hasOwn(document, "steps"))
    return [
      {
        path: ["steps"],
        message: "a workflow has tasks or steps, not both",
        hint: "write the steps as a workflow of their own",
      },
    ];
  return splitDocument(document).flatMap(({ path, value, schema }) =>
    schema === KindStep
      ? listKindProblems(value, path)
      : listSchemaIssues(schema as v.GenericSchema, value).map((problem) => prefixPath(path, problem)),
  );
}

export function listSchemaIssues(schema: v.GenericSchema, value: unknown): WorkflowProblem[] {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return [];
  return parsed.issues.map((issue) => addHint({ path: listPath(issue), message: describeIssue(issue) }));
}

const listPath = ({ path }: v.BaseIssue<unknown>): SourcePath =>
  (path ?? []).map(({ key }) => key as string | number);

const prefixPath = (path: SourcePath, problem: WorkflowProblem): WorkflowProblem => ({
  ...problem,
  path: [...path, ...problem.path],
});

/** Overlays say whether they are on: a block alone could be either. */
function addHint(problem: WorkflowProblem): WorkflowProblem {
  const [last, overlay, parent] = [...problem.path].reverse();
  return last === "enabled" && parent === "overlays"
    ? {
        ...problem,
        hint: `an overlay is switched with enabled: true or enabled: false; ${overlay} says neither`,
      }
    : problem;
}

/** What must be right before a step with a kind can be read as a part of the program. */
function listKindProblems(step: unknown, path: SourcePath): WorkflowProblem[] {
  if (!isObject(step)) return [{ path, message: "must be a table" }];
  const routes =
    step.on === undefined || isObject(step.on) ? [] : [{ path: [...path, "on"], message: "must be a table" }];
  const times = ["timeout", ...(step.kind === "wait" ? ["for"] : [])].flatMap((key) =>
    step[key] === undefined
      ? []
      : listSchemaIssues(Duration, step[key]).map((one) => prefixPath([...path, key], one)),
  );
  return [...routes, ...times];
}
