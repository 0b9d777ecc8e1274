// Finding a workflow by its name and loading it, with every problem at its line and column.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import { nearest } from "../../core/text/nearest.ts";
import { isSwitchedOff, loadWorkflow } from "../../core/workflow/load.ts";
import type { Problem } from "../../core/workflow/problem.ts";
import { piecesOf } from "../../core/workflow/source/document.ts";
import { plainly } from "../files/plain-words.ts";
import { type FileProblem, fileError, type Part, type Path, placeIn, spell } from "../files/problems.ts";
import { misplacedLists, unknownKeys } from "../files/schema-keys.ts";
import { readYaml } from "../files/yaml.ts";
import { packageRoot } from "../host/package-root.ts";
import { usageError } from "../host/usage.ts";
import { endings, longestWorkflow, workflowPlaces } from "./places.ts";
import { unknownTargets } from "./triggers.ts";

export interface WorkflowFile {
  readonly program: Program;
  /** The file's own text, pinned with the bubble. */
  readonly source: string;
  readonly path: string;
  /** What its author should know, one line each, with its place. */
  readonly warnings?: readonly string[];
  /** `enabled: false`: it can be looked at and is not run. */
  readonly switchedOff?: boolean;
}

export type Payload = Readonly<Record<string, unknown>>;

interface Where {
  /** What the run is started with. */
  readonly payload?: Payload;
  /** The package's own folder. */
  readonly root?: string;
}

/** Loads a workflow by its name for a bubble with this configuration: the project's own, or one of the package. */
export function loadWorkflowFile(
  name: string,
  config: BubbleConfig,
  { payload = {}, root = packageRoot() }: Where = {},
): WorkflowFile {
  const places = workflowPlaces(config.repo_path, root);
  const place = places.find((candidate) => candidate.name === name);
  if (place) return readWorkflow(place.path, place.path, config, payload);
  const names = places.map((candidate) => candidate.name);
  throw usageError(
    "workflow.unknown",
    `there is no workflow ${name}${nearest(name, names)}`,
    "pairflow workflow list",
  );
}

/** Reads a workflow from disk; `shown` is what its file is called in messages. */
export function readWorkflow(
  path: string,
  shown: string,
  config: BubbleConfig,
  payload: Payload = {},
): WorkflowFile {
  const source = readFileSync(path, "utf8");
  return { ...spelledIn(source, shown, config, payload), source, path };
}

/** The program that a workflow's text spells. Throws one usage error with all that is wrong with it. */
export function parseWorkflow(source: string, file: string, config: BubbleConfig): Program {
  return spelledIn(source, file, config, {}).program;
}

function spelledIn(
  source: string,
  file: string,
  config: BubbleConfig,
  payload: Payload,
): Omit<WorkflowFile, "source" | "path"> {
  const { value, places } = readYaml(source, file, "workflow.syntax", longestWorkflow);
  const strangers = [...listsForTables(value), ...unknownWords(value)];
  const loaded = loadWorkflow(value, config, payload, idOf(file));
  if (loaded.ok && strangers.length === 0) {
    const warnings = [...loaded.warnings, ...unknownTargets(value, config.repo_path)];
    const lines = warnings.map(({ path, message }) => {
      return `${placeIn(file, places(path, "value"))}: warning: ${message}`;
    });
    return { program: loaded.program, warnings: lines, switchedOff: isSwitchedOff(value) };
  }
  const said = (path: Path) => strangers.some((problem) => problem.path.every((word, i) => word === path[i]));
  const others = loaded.ok ? [] : loaded.problems.filter((problem) => !said(problem.path)).map(problemOf);
  throw fileError(file, [...strangers, ...others], places);
}

/** A workflow that says no id of its own has the name of its file. */
function idOf(file: string): string {
  const name = endings.reduce((word, ending) => basename(word, ending), basename(file));
  return /^[a-z][a-z0-9_-]{0,59}$/i.test(name) ? name : "workflow";
}

function listsForTables(value: unknown): FileProblem[] {
  return piecesOf(value).flatMap((piece) =>
    misplacedLists(piece.schema, piece.value, piece.path).map((path) =>
      invalid(path, "value", `${spell(path) || "the file"} must be a table`),
    ),
  );
}

function unknownWords(value: unknown): FileProblem[] {
  return piecesOf(value).flatMap((piece) =>
    unknownKeys(piece.schema, piece.value, piece.path).map(({ path, key, known }) =>
      invalid(path, "key", `there is no key ${key} here${nearest(key, known)}`),
    ),
  );
}

const problemOf = ({ path, message, hint }: Problem): FileProblem =>
  invalid(path, "value", [plainly(path, message), ...(hint ? [hint] : [])].join("; "));

const invalid = (path: Path, part: Part, message: string): FileProblem => ({
  code: "workflow.invalid",
  message,
  path,
  part,
});
