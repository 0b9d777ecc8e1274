// Where the workflows are that can be chosen by name: those of the project, then those of the package.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../host/package-root.ts";

/** A workflow that can be chosen by its name. */
export interface WorkflowPlace {
  readonly name: string;
  readonly path: string;
  readonly builtIn: boolean;
}

/** Workflows may be long, and are read once for a bubble. */
export const longestWorkflow = 256 * 1024;
export const projectWorkflows = ".pairflow/workflows";
export const endings = [".yaml", ".yml", ".json"];

/** The workflows of a project, then those of the package that the project has no own one for. */
export function listWorkflowFiles(repo: string | undefined, root = findPackageRoot()): WorkflowPlace[] {
  const own = repo === undefined ? [] : listFilesIn(join(repo, projectWorkflows), false);
  const builtIn = listFilesIn(join(root, "workflows"), true);
  return [...own, ...builtIn.filter(({ name }) => !own.some((other) => other.name === name))];
}

function listFilesIn(folder: string, builtIn: boolean): WorkflowPlace[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).sort();
  const places = endings.flatMap((ending) =>
    files
      .filter((file) => file.endsWith(ending))
      .map((file) => ({ name: file.slice(0, -ending.length), path: join(folder, file), builtIn })),
  );
  const firsts = places.filter(({ name }, i) => places.findIndex((other) => other.name === name) === i);
  return firsts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names of the package's own workflows. */
export function listWorkflowNames(root = findPackageRoot()): string[] {
  return listWorkflowFiles(undefined, root).map(({ name }) => name);
}
