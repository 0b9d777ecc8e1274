// Workflows outside any bubble: the built-in ones by name, others by file, loaded as a bubble with default settings would.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Program } from "../core/model/program.ts";
import { completeConfig } from "./config-file.ts";
import { mergeDefaults, noProject } from "./project-config.ts";
import { usageError } from "./usage.ts";
import { loadWorkflowFile, parseWorkflow, workflowNames } from "./workflow-file.ts";

/** The settings of a bubble nobody has changed. */
export const usualConfig = () =>
  completeConfig(
    mergeDefaults(noProject, {
      id: "example",
      repo_path: "/",
      base_branch: "main",
      bubble_branch: "bubble/example",
    }),
  );

/** The program of a built-in workflow, or of a file; whatever has an ending or a slash is a file. */
export function workflowAt(nameOrFile: string, cwd: string): Program {
  if (!/[./]/.test(nameOrFile)) return loadWorkflowFile(nameOrFile, usualConfig()).program;
  const path = resolve(cwd, nameOrFile);
  if (!existsSync(path))
    throw usageError(
      "workflow.no-file",
      `there is no file ${nameOrFile}`,
      `built in: ${workflowNames().join(", ")}`,
    );
  return parseWorkflow(readFileSync(path, "utf8"), nameOrFile, usualConfig());
}

/** Every built-in workflow. */
export function builtInWorkflows(): Program[] {
  return workflowNames().map((name) => loadWorkflowFile(name, usualConfig()).program);
}
