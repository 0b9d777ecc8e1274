// Finding a workflow by its name and loading it, with every problem at its line and column.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BubbleConfig } from "../core/model/config.ts";
import { Program } from "../core/model/program.ts";
import { loadWorkflow } from "../core/workflow/load.ts";
import { nearest } from "../core/workflow/nearest.ts";
import type { Problem } from "../core/workflow/problem.ts";
import { plainly } from "./files/plain-words.ts";
import { type FileProblem, fileError, type Part, type Path, spell } from "./files/problems.ts";
import { isTable, misplacedLists, unknownKeys } from "./files/schema-keys.ts";
import { readYaml } from "./files/yaml.ts";
import { packageRoot } from "./package-root.ts";
import { usageError } from "./usage.ts";

export interface WorkflowFile {
  readonly program: Program;
  /** The file's own text, pinned with the bubble. */
  readonly source: string;
  readonly path: string;
}

/** Loads workflows/<name>.yaml of the package for a bubble with this configuration. */
export function loadWorkflowFile(name: string, config: BubbleConfig, root = packageRoot()): WorkflowFile {
  const names = workflowNames(root);
  if (!names.includes(name))
    throw usageError("workflow.unknown", `there is no workflow ${name}${nearest(name, names)}`);
  const path = join(root, "workflows", `${name}.yaml`);
  const source = readFileSync(path, "utf8");
  return { program: parseWorkflow(source, path, config), source, path };
}

export function workflowNames(root = packageRoot()): string[] {
  const files = readdirSync(join(root, "workflows")).filter((file) => file.endsWith(".yaml"));
  return files.map((file) => file.slice(0, -".yaml".length)).sort();
}

/** The program that a workflow's text spells. Throws one usage error with all that is wrong with it. */
export function parseWorkflow(source: string, file: string, config: BubbleConfig): Program {
  const { value, places } = readYaml(source, file, "workflow.syntax");
  const strangers = [...listsForTables(value), ...unknownWords(value)];
  const loaded = loadWorkflow(value, config);
  if (loaded.ok && strangers.length === 0) return loaded.program;
  const said = (path: Path) => strangers.some((problem) => problem.path.every((word, i) => word === path[i]));
  const others = loaded.ok ? [] : loaded.problems.filter((problem) => !said(problem.path)).map(problemOf);
  throw fileError(file, [...strangers, ...others], places);
}

function listsForTables(value: unknown): FileProblem[] {
  return misplacedLists(Program, value).map((path) =>
    invalid(path, "value", `${spell(path) || "the file"} must be a table`),
  );
}

/** `description` is for people and no part of the program. */
function unknownWords(value: unknown): FileProblem[] {
  const { description: _forPeople, ...program } = isTable(value) ? value : {};
  const unknown = unknownKeys(Program, program);
  return unknown.map(({ path, key, known }) =>
    invalid(path, "key", `there is no key ${key} here${nearest(key, known)}`),
  );
}

const problemOf = ({ path, message }: Problem): FileProblem => invalid(path, "value", plainly(path, message));

const invalid = (path: Path, part: Part, message: string): FileProblem => ({
  code: "workflow.invalid",
  message,
  path,
  part,
});
