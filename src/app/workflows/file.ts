// Finding a workflow by its name and loading it, with every problem at its line and column. Its text is read once into a
// document; a document is expanded into the program of a bubble.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import { findId, isSwitchedOff, loadWorkflow } from "../../core/workflow/load.ts";
import type { WorkflowProblem } from "../../core/workflow/problem.ts";
import { splitDocument } from "../../core/workflow/source/document.ts";
import {
  buildFileError,
  type FileProblem,
  formatFileSpot,
  type PathPart,
  spell,
  type ValuePath,
} from "../files/problems.ts";
import { findMisplacedLists, findUnknownKeys } from "../files/schema-keys.ts";
import { addSubject } from "../files/sentence.ts";
import { readYaml, type YamlFile } from "../files/yaml.ts";
import { findPackageRoot } from "../host/package-root.ts";
import { buildUsageError } from "../host/usage.ts";
import { endings, listWorkflowFiles, longestWorkflow } from "./locations.ts";
import { findUnknownTargets } from "./triggers.ts";

/** A workflow as it is written: what its text says, before any bubble's settings are filled in. */
export interface WorkflowDocument extends YamlFile {
  /** The file's own text, pinned with the bubble. */
  readonly source: string;
  readonly path: string;
  /** What its file is called in messages. */
  readonly shown: string;
}

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
  { payload = {}, root = findPackageRoot() }: Where = {},
): WorkflowFile {
  return expandWorkflow(readNamedWorkflow(name, config.repo_path, root), config, payload);
}

/** The document of this name: the project's own, or one of the package. */
export function readNamedWorkflow(name: string, repo: string, root = findPackageRoot()): WorkflowDocument {
  const places = listWorkflowFiles(repo, root);
  const place = places.find((candidate) => candidate.name === name);
  if (place) return readWorkflow(place.path);
  const names = places.map((candidate) => candidate.name);
  throw buildUsageError(
    "workflow.unknown",
    `there is no workflow ${name}${suggestWord(name, names)}`,
    "pairflow workflow list",
  );
}

/** Reads a workflow from disk; `shown` is what its file is called in messages. */
export function readWorkflow(path: string, shown = path): WorkflowDocument {
  return readWorkflowDocument(readFileSync(path, "utf8"), path, shown);
}

function readWorkflowDocument(source: string, path: string, shown: string): WorkflowDocument {
  return { source, path, shown, ...readYaml(source, shown, "workflow.syntax", longestWorkflow) };
}

/** The program that a workflow's text spells. Throws one usage error with all that is wrong with it. */
export function parseWorkflow(source: string, file: string, config: BubbleConfig): Program {
  return expandWorkflow(readWorkflowDocument(source, file, file), config).program;
}

/** The program of a bubble with these settings. Throws one usage error with all that is wrong with the document. */
export function expandWorkflow(
  document: WorkflowDocument,
  config: BubbleConfig,
  payload: Payload = {},
): WorkflowFile {
  const { source, path: file, shown, value, places } = document;
  const strangers = [...listListsForTables(value), ...findUnknownWords(value)];
  const loaded = loadWorkflow(value, config, payload, getFileId(shown));
  if (loaded.ok && strangers.length === 0) {
    const problems = [...loaded.warnings, ...findUnknownTargets(value, config.repo_path)];
    const warnings = problems.map(({ path, message }) => {
      return `${formatFileSpot(shown, places(path, "value"))}: warning: ${message}`;
    });
    return { program: loaded.program, warnings, switchedOff: isSwitchedOff(value), source, path: file };
  }
  const said = (path: ValuePath) =>
    strangers.some((problem) => problem.path.every((word, i) => word === path[i]));
  const others = loaded.ok ? [] : loaded.problems.filter((problem) => !said(problem.path)).map(toProblem);
  throw buildFileError(shown, [...strangers, ...others], places);
}

/** What the program of a document will be called. Only a sound document has an id that means something. */
export function getProgramId({ value, shown }: WorkflowDocument, config: BubbleConfig): string {
  return findId(value, config) ?? getFileId(shown);
}

/** A workflow that says no id of its own has the name of its file. */
function getFileId(file: string): string {
  const name = endings.reduce((word, ending) => basename(word, ending), basename(file));
  return /^[a-z][a-z0-9_-]{0,59}$/i.test(name) ? name : "workflow";
}

function listListsForTables(value: unknown): FileProblem[] {
  return splitDocument(value).flatMap((piece) =>
    findMisplacedLists(piece.schema, piece.value, piece.path).map((path) =>
      buildInvalid(path, "value", `${spell(path) || "the file"} must be a table`),
    ),
  );
}

function findUnknownWords(value: unknown): FileProblem[] {
  return splitDocument(value).flatMap((piece) =>
    findUnknownKeys(piece.schema, piece.value, piece.path).map(({ path, key, known }) =>
      buildInvalid(path, "key", `there is no key ${key} here${suggestWord(key, known)}`),
    ),
  );
}

const toProblem = ({ path, message, hint }: WorkflowProblem): FileProblem =>
  buildInvalid(path, "value", [addSubject(path, message), ...(hint ? [hint] : [])].join("; "));

const buildInvalid = (path: ValuePath, part: PathPart, message: string): FileProblem => ({
  code: "workflow.invalid",
  message,
  path,
  part,
});
