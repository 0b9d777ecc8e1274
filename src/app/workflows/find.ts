// Workflows outside any bubble: by name or by file, loaded as a bubble of the project around would load them.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import { completeConfig } from "../config/bubble-file.ts";
import {
  mergeDefaults,
  noProject,
  type ProjectConfig,
  parseProjectConfig,
  projectFile,
} from "../config/project.ts";
import { readYaml } from "../files/yaml.ts";
import { findRepo } from "../host/locate.ts";
import { type UsageError, usageError } from "../host/usage.ts";
import { loadWorkflowFile, type Payload, readWorkflow, type WorkflowFile } from "./file.ts";
import { longestWorkflow, workflowNames, workflowPlaces } from "./places.ts";

/** The settings of a bubble nobody has changed. */
export const usualConfig = (): BubbleConfig => settingsOf(noProject, "/");

/** Those of a new bubble in this project, with every agent that the project knows. */
function settingsOf(project: ProjectConfig, repo: string): BubbleConfig {
  const values = mergeDefaults(project, {
    id: "example",
    repo_path: repo,
    base_branch: "main",
    bubble_branch: "bubble/example",
  });
  return completeConfig({ ...values, agent: { ...project.agents, ...(values.agent as object) } });
}

/** The settings of a bubble that would be made here. */
function configAround(cwd: string): BubbleConfig {
  const repo = findRepo(cwd);
  if (repo === undefined) return usualConfig();
  const file = join(repo, projectFile);
  const project = existsSync(file) ? parseProjectConfig(readFileSync(file, "utf8"), projectFile) : noProject;
  return settingsOf(project, repo);
}

/** The workflow that a word means: the project's own of that name, one of the package, or a file. */
export function workflowAt(word: string, cwd: string): WorkflowFile {
  const config = configAround(cwd);
  return workflowFor(word, { cwd, repo: config.repo_path }, config);
}

/** The same for a bubble whose settings are known; whatever has an ending or a slash is a file. */
export function workflowFor(
  word: string,
  where: { readonly cwd: string; readonly repo: string },
  config: BubbleConfig,
  payload: Payload = {},
): WorkflowFile {
  if (!/[./]/.test(word)) return loadWorkflowFile(word, { ...config, repo_path: where.repo }, { payload });
  const path = resolve(where.cwd, word);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw usageError(
      "workflow.no-file",
      `there is no file ${word}`,
      `by name: ${workflowPlaces(where.repo)
        .map(({ name }) => name)
        .join(", ")}`,
    );
  return readWorkflow(path, word, config, payload);
}

export interface Listed {
  readonly name: string;
  /** As seen from here, where it is below; otherwise the whole path. */
  readonly path: string;
  readonly builtIn: boolean;
  readonly program?: Program;
  /** What its author says about it. */
  readonly description?: string;
  /** Why it cannot be loaded. */
  readonly problem?: string;
}

/** Every workflow that can be chosen by name here, also those that cannot be loaded. */
export function listedWorkflows(cwd: string): Listed[] {
  const config = configAround(cwd);
  return workflowPlaces(config.repo_path).map(({ name, path, builtIn }) => {
    const from = relative(cwd, path);
    const place = { name, path: from.startsWith("..") ? path : from, builtIn };
    try {
      const { program, source } = readWorkflow(path, place.path, config);
      const description = descriptionIn(source, place.path);
      return { ...place, program, ...(description ? { description } : {}) };
    } catch (error) {
      return { ...place, problem: (error as UsageError).message };
    }
  });
}

/** A word about the file for people: it is no part of the program. */
function descriptionIn(source: string, file: string): string | undefined {
  const { value } = readYaml(source, file, "workflow.syntax", longestWorkflow);
  const { description } = (value ?? {}) as Record<string, unknown>;
  return typeof description === "string" ? description.trim().replaceAll(/\s+/g, " ") : undefined;
}

/** Every built-in workflow. */
export function builtInWorkflows(): Program[] {
  return workflowNames().map((name) => loadWorkflowFile(name, usualConfig()).program);
}
