// Whether everything is there that a pipeline needs. Each check is a sentence with a way out. Nothing is started or changed.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chain, workers } from "../../core/model/pipeline-file.ts";
import { checkSkill, listAgentFiles } from "../agents/skill-files.ts";
import { findAgent } from "../agents/startable.ts";
import { noProject, type ProjectConfig, parseProjectConfig, projectFile } from "../config/project.ts";
import { type Check, reportError, reportOk, reportWarning } from "../host/check.ts";
import { askGit, isIgnored } from "../host/git-questions.ts";
import { findPackageRoot, readRoleText } from "../host/package-root.ts";
import { lookAtKnowledge } from "../knowledge/pin.ts";
import { findWorkflowAt } from "../workflows/find.ts";
import { createWorld } from "../world/world.ts";
import { buildCast, type Cast } from "./cast.ts";
import { configFiles, readPipelineConfig } from "./config.ts";

const roles = ["requirements-gatherer", "planner", "plan-reviewer", "implementer", "code-reviewer"];

export async function checkPipeline(repo: string, flags: Readonly<Record<string, string>>): Promise<Check[]> {
  const config = tryReading("config", () => readPipelineConfig(repo));
  const project = tryReading("project", () => readProject(repo));
  const cast = config.value && project.value ? buildCast(project.value, config.value, flags) : undefined;
  return [
    config.problem ??
      reportOk("config", config.value?.file ?? `none; the usual settings hold (${configFiles[0]})`),
    ...(project.problem ? [project.problem] : []),
    checkWorkflow(repo),
    ...roles.map(checkPrompt),
    ...checkSkills(repo),
    checkPage(),
    await checkBase(repo),
    await checkKnowledge(repo),
    await checkIgnored(repo),
    ...(cast && project.value ? checkAgents(repo, project.value, cast) : []),
    ...(cast ? [checkGate(cast)] : []),
  ];
}

interface Tried<T> {
  readonly value?: T;
  readonly problem?: Check;
}

function tryReading<T>(name: string, read: () => T): Tried<T> {
  try {
    return { value: read() };
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return { problem: { name, status: "error", says: message, ...(hint ? { fix: hint } : {}) } };
  }
}

/** As it is on the disk: what is not committed yet will hold for a pipeline only once it is. */
export function readProject(repo: string): ProjectConfig {
  const file = join(repo, projectFile);
  return existsSync(file) ? parseProjectConfig(readFileSync(file, "utf8"), projectFile) : noProject;
}

function checkWorkflow(repo: string): Check {
  const { value, problem } = tryReading("workflow", () => findWorkflowAt("pipeline", repo));
  if (problem || !value) return problem ?? reportError("workflow", "it cannot be read");
  return reportOk(
    "workflow",
    `pipeline ${value.program.version} is sound, ${value.program.steps.length} steps`,
  );
}

function checkPrompt(role: string): Check {
  const name = `prompt ${role}`;
  return readRoleText(role).trim() === ""
    ? reportError(name, `prompts/${role}.md is missing`, "npm install pairflow")
    : reportOk(name, `prompts/${role}.md`);
}

const writeSkills = "pairflow init --agent claude";

/** Who types `pairflow pipeline` needs none of them, so none at all is a warning. Once one is there, all should be, and be sound. */
function checkSkills(repo: string): Check[] {
  const files = listAgentFiles("claude");
  const isThere = (file: string) => existsSync(join(repo, file));
  if (!files.some(({ file }) => isThere(file)))
    return [
      reportWarning(
        "skills",
        "not installed: /multi-ai, /review-codex and /cancel-loop are not known to Claude Code here",
        writeSkills,
      ),
    ];
  return files.map((skill): Check => {
    const { file } = skill;
    const name = `skill ${file.split("/").at(-2)}`;
    if (!isThere(file)) return reportError(name, `${file} is missing`, writeSkills);
    const problem = checkSkill(repo, skill);
    return problem === undefined
      ? reportOk(name, file)
      : reportError(name, problem, `rm ${file} && ${writeSkills}`);
  });
}

/** The page that skills and hints point to. */
function checkPage(): Check {
  const page = "docs/pipeline.md";
  const path = join(findPackageRoot(), page);
  return existsSync(path) && readFileSync(path, "utf8").trim() !== ""
    ? reportOk("docs", page)
    : reportError("docs", `${page} is missing`, "npm install pairflow");
}

/** What the project's own pages tell critics: constitution, SOPs and conventions of the commit the work begins on. */
async function checkKnowledge(repo: string): Promise<Check> {
  const name = "knowledge";
  const commit = await askGit(repo, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if (!commit) return reportOk(name, "none yet: there is no commit");
  const { value, problems } = await lookAtKnowledge(createWorld(repo, "process"), repo, commit);
  const [first] = problems;
  if (first)
    return { name, status: "error", says: first.message, ...(first.hint ? { fix: first.hint } : {}) };
  const { sops, constitution, conventions } = value;
  const found = `${sops.length} SOPs, ${constitution.length} constitution pages, ${conventions.length} conventions`;
  return reportOk(name, sops.length + constitution.length + conventions.length === 0 ? "none" : found);
}

/** The work begins on a commit. */
async function checkBase(repo: string): Promise<Check> {
  const name = "first commit";
  if (await askGit(repo, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"))
    return reportOk(name, "there is a commit to begin from");
  const fix = "git commit --allow-empty -m start";
  return reportError(name, "this repository has no commit yet", fix);
}

async function checkIgnored(repo: string): Promise<Check> {
  const name = "ignored";
  if (await isIgnored(repo, ".pairflow/bubbles/x"))
    return reportOk(name, "git leaves .pairflow/bubbles alone");
  return reportError(name, "git does not ignore .pairflow/bubbles", "pairflow init");
}

function checkAgents(repo: string, project: ProjectConfig, { agents, agent: made }: Cast): Check[] {
  return [...workers, ...chain].map((player) => {
    const agent = agents[player] ?? "";
    const name = `${chain.some((one) => one === player) ? "critic" : "agent"} ${player}`;
    const settings = made[agent] ?? project.agents[agent];
    const found = findAgent(repo, agent, settings);
    if ("problem" in found)
      return reportError(
        name,
        `${agent}: ${found.problem}`,
        found.install ?? `pairflow pipeline "…" --agent ${player}=<agent>`,
      );
    const model = typeof settings?.model === "string" ? ` (${settings.model})` : "";
    return reportOk(name, `${agent}${model} · ${found.path}`);
  });
}

function checkGate({ agents, warnings }: Cast): Check {
  const name = "final gate";
  const gate = agents[chain.at(-1) ?? ""];
  const [warning] = warnings;
  if (!warning)
    return reportOk(name, `${gate}; nobody before it is of its vendor, as far as the settings tell`);
  return reportError(name, warning, 'pairflow pipeline "…" --agent codex=<agent>');
}
