// The forms a workflow can be written in, and the schema of each piece of a document.
import * as v from "valibot";
import { issueWords } from "../../model/issue-words.ts";
import type { Problem } from "../problem.ts";
import type { Path } from "./draft.ts";
import { Duration } from "./duration.ts";
import { ActionStep, isActionStep, KindStep, StepsDocument } from "./steps-schema.ts";
import { TasksDocument } from "./tasks-schema.ts";

/** A part of a document with the words it may have. */
export interface Piece {
  readonly path: Path;
  readonly value: unknown;
  /** For whoever lists the words that are known at each level. */
  readonly schema: unknown;
}

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const hasTasks = (document: unknown): document is Table =>
  isTable(document) && Object.hasOwn(document, "tasks");

/** The document itself, and each of its steps: which words those know depends on the form they are written in. */
export function piecesOf(document: unknown): Piece[] {
  if (hasTasks(document)) return [{ path: [], value: document, schema: TasksDocument }];
  const steps = isTable(document) && Array.isArray(document.steps) ? document.steps : [];
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
export function shapeProblems(document: unknown): Problem[] {
  if (hasTasks(document) && Object.hasOwn(document, "steps"))
    return [
      {
        path: ["steps"],
        message: "a workflow has tasks or steps, not both",
        hint: "write the steps as a workflow of their own",
      },
    ];
  return piecesOf(document).flatMap(({ path, value, schema }) =>
    schema === KindStep
      ? kindProblems(value, path)
      : issuesIn(schema as v.GenericSchema, value).map((problem) => within(path, problem)),
  );
}

export function issuesIn(schema: v.GenericSchema, value: unknown): Problem[] {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return [];
  return parsed.issues.map((issue) => withHint({ path: pathOf(issue), message: issueWords(issue) }));
}

const pathOf = ({ path }: v.BaseIssue<unknown>): Path =>
  (path ?? []).map(({ key }) => key as string | number);

const within = (path: Path, problem: Problem): Problem => ({ ...problem, path: [...path, ...problem.path] });

/** Overlays say whether they are on: a block alone could be either. */
function withHint(problem: Problem): Problem {
  const [last, overlay, parent] = [...problem.path].reverse();
  return last === "enabled" && parent === "overlays"
    ? {
        ...problem,
        hint: `an overlay is switched with enabled: true or enabled: false; ${overlay} says neither`,
      }
    : problem;
}

/** What must be right before a step with a kind can be read as a part of the program. */
function kindProblems(step: unknown, path: Path): Problem[] {
  if (!isTable(step)) return [{ path, message: "must be a table" }];
  const routes =
    step.on === undefined || isTable(step.on) ? [] : [{ path: [...path, "on"], message: "must be a table" }];
  const times = ["timeout", ...(step.kind === "wait" ? ["for"] : [])].flatMap((key) =>
    step[key] === undefined ? [] : issuesIn(Duration, step[key]).map((one) => within([...path, key], one)),
  );
  return [...routes, ...times];
}
