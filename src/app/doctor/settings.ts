// Every file that people write for Pairflow: the project's configuration, bubble.toml of the bubbles that continue, and
// the workflows. Each is read as strictly as when it is used.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { noProject, type ProjectConfig, parseProjectConfig, projectFile } from "../config/project.ts";
import { type Check, editLine, reportError, reportOk, reportWarning } from "../host/check.ts";
import { askChangedFiles } from "../host/git-questions.ts";
import { getConfigFile } from "../host/locate.ts";
import { hasEnded, type ListedBubble } from "../record/listing.ts";
import { loadBuiltInWorkflows } from "../workflows/find.ts";
import { listWorkflowNames } from "../workflows/locations.ts";

export interface CheckedSettings {
  readonly checks: readonly Check[];
  readonly project: ProjectConfig;
  /** Of the bubbles that continue and can be read. */
  readonly bubbles: readonly BubbleConfig[];
}

export async function readSettings(
  repo: string,
  world: RecordWorld,
  listed: readonly ListedBubble[],
): Promise<CheckedSettings> {
  const { project, check } = readProject(repo);
  const own = await readBubbles(repo, world, listed);
  return { checks: [check, ...own.checks], project, bubbles: own.bubbles };
}

function readProject(repo: string): { check: Check; project: ProjectConfig } {
  const name = "config";
  const path = join(repo, projectFile);
  if (!existsSync(path))
    return {
      check: reportOk(name, `no ${projectFile}; defaults are used`),
      project: noProject,
    };
  try {
    const project = parseProjectConfig(readFileSync(path, "utf8"), projectFile);
    return { check: reportOk(name, `${projectFile} is valid`), project };
  } catch (problem) {
    return { check: failCheck(name, problem, editLine(path)), project: noProject };
  }
}

function failCheck(name: string, problem: unknown, fix: string): Check {
  const { message, details = [] } = problem as { message: string; details?: readonly string[] };
  return reportError(name, [message, ...details].join("; "), fix);
}

/** Bubbles read the configuration from their base commit, which surprises a person who has just edited it. */
export async function checkUncommitted(repo: string): Promise<Check[]> {
  const changed = await askChangedFiles(repo, "--", projectFile);
  if (!changed) return [];
  const git = `git -C ${quoteShellWord(repo)}`;
  return [
    reportWarning(
      "config",
      `${projectFile} is not committed; new bubbles do not see it yet`,
      `${git} add ${projectFile} && ${git} commit -m "Configure Pairflow"`,
    ),
  ];
}

async function readBubbles(repo: string, world: RecordWorld, listed: readonly ListedBubble[]) {
  const checks: Check[] = [];
  const bubbles: BubbleConfig[] = [];
  for (const { id } of listed.filter((bubble) => bubble.summary && !hasEnded(bubble))) {
    const file = getConfigFile(repo, id);
    try {
      const text = await world.records.readConfig(id);
      if (text !== undefined) bubbles.push(parseBubbleToml(text, file));
    } catch (problem) {
      checks.push(failCheck(`config ${id}`, problem, editLine(file)));
    }
  }
  return { checks, bubbles };
}

/** The workflows of the package, tried on a bubble as the defaults would make it. */
export function checkWorkflows(): Check {
  const name = "workflows";
  const names = listWorkflowNames();
  try {
    loadBuiltInWorkflows();
    return reportOk(name, names.join(", "));
  } catch (problem) {
    return failCheck(name, problem, "npm install --global pairflow");
  }
}
