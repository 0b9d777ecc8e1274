// Workflows outside any bubble: by name or by file, loaded as a bubble of the project around would load them.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import {
  mergeDefaults,
  noProject,
  type ProjectConfig,
  parseProjectConfig,
  projectFile,
} from "../config/project.ts";
import { findRepo } from "../host/locate.ts";
import { buildUsageError, type UsageError } from "../host/usage.ts";
import {
  expandWorkflow,
  loadWorkflowFile,
  type Payload,
  readNamedWorkflow,
  readWorkflow,
  type WorkflowDocument,
  type WorkflowFile,
} from "./file.ts";
import { listWorkflowFiles, listWorkflowNames } from "./locations.ts";

/** The settings of a bubble nobody has changed. */
export const buildUsualConfig = (): BubbleConfig => buildSettings(noProject, "/");

/** Those of a new bubble in this project, with every agent that the project knows. */
function buildSettings(project: ProjectConfig, repo: string): BubbleConfig {
  const values = mergeDefaults(project, {
    id: "example",
    repo_path: repo,
    base_branch: "main",
    bubble_branch: "bubble/example",
  });
  return completeConfigValues({ ...values, agent: { ...project.agents, ...(values.agent as object) } });
}

/** The settings of a bubble that would be made here. */
function readConfigAround(cwd: string): BubbleConfig {
  const repo = findRepo(cwd);
  if (repo === undefined) return buildUsualConfig();
  const file = join(repo, projectFile);
  const project = existsSync(file) ? parseProjectConfig(readFileSync(file, "utf8"), projectFile) : noProject;
  return buildSettings(project, repo);
}

/** The workflow that a word means: the project's own of that name, one of the package, or a file. */
export function findWorkflowAt(word: string, cwd: string): WorkflowFile {
  const config = readConfigAround(cwd);
  return loadWorkflowFor(word, { cwd, repo: config.repo_path }, config);
}

interface Around {
  readonly cwd: string;
  readonly repo: string;
}

/** The same for a bubble whose settings are known. */
export function loadWorkflowFor(
  word: string,
  where: Around,
  config: BubbleConfig,
  payload: Payload = {},
): WorkflowFile {
  const settings = isFile(word) ? config : { ...config, repo_path: where.repo };
  return expandWorkflow(findWorkflow(word, where), settings, payload);
}

/** Whatever has an ending or a slash is a file. */
export const isFile = (word: string): boolean => /[./]/.test(word);

/** The document that a word means. */
export function findWorkflow(word: string, { cwd, repo }: Around): WorkflowDocument {
  if (!isFile(word)) return readNamedWorkflow(word, repo);
  const path = resolve(cwd, word);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw buildUsageError(
      "workflow.no-file",
      `there is no file ${word}`,
      `by name: ${listWorkflowFiles(repo)
        .map(({ name }) => name)
        .join(", ")}`,
    );
  return readWorkflow(path, word);
}

export interface ListedWorkflow {
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
export function listWorkflows(cwd: string): ListedWorkflow[] {
  const config = readConfigAround(cwd);
  return listWorkflowFiles(config.repo_path).map(({ name, path, builtIn }) => {
    const from = relative(cwd, path);
    const place = { name, path: from.startsWith("..") ? path : from, builtIn };
    try {
      const document = readWorkflow(path, place.path);
      const { program } = expandWorkflow(document, config);
      return omitUndefined({ ...place, program, description: findDescriptionIn(document) });
    } catch (error) {
      return { ...place, problem: (error as UsageError).message };
    }
  });
}

/** A word about the file for people: it is no part of the program. */
function findDescriptionIn({ value }: WorkflowDocument): string | undefined {
  const { description } = (value ?? {}) as Record<string, unknown>;
  const words = typeof description === "string" ? description.trim().replaceAll(/\s+/g, " ") : "";
  return words === "" ? undefined : words;
}

/** Every built-in workflow. */
export function loadBuiltInWorkflows(): Program[] {
  return listWorkflowNames().map((name) => loadWorkflowFile(name, buildUsualConfig()).program);
}
