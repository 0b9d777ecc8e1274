// A dry run: the workflow as it is, walked with scripted agents in a throw-away repository.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program, Step } from "../../core/model/program.ts";
import { paperNamed } from "../../core/paper/kinds.ts";
import { neededRoles } from "../../core/workflow/source/agents.ts";
import { completeConfig } from "../config/bubble-file.ts";
import { initialise } from "../config/init.ts";
import { noProject } from "../config/project.ts";
import { gitInOwn } from "../host/own-repository.ts";
import { selfCommand } from "../host/package-root.ts";
import { keepUserFolderIn } from "../host/user-folder.ts";
import { create } from "../making/create.ts";
import { readTask } from "../task/file.ts";
import { trustOwn } from "../trust/confirm.ts";
import type { OperatorCall } from "../trust/operator-call.ts";
import { usualConfig, workflowFor } from "../workflows/find.ts";
import { namesIn, type Payload, taskTextOf, triggerPayload } from "../workflows/run.ts";
import { worldOf } from "../world/world.ts";

export interface DryRunOptions {
  readonly workflow: string;
  readonly payload: Payload;
  /** How often each task's reviewers reject first. */
  readonly rejections: number;
  /** Where the workflow is looked for. */
  readonly cwd: string;
  readonly repo: string;
}

export interface DryRun extends OperatorCall {
  readonly program: Program;
  /** Takes the repository away. */
  close(): void;
}

const bubble = "dry-run";
const longestWait = 1;
/** The roles that any workflow, or one that it starts, may ask for, each played by an agent of its own name. */
const usualNames = [
  ...["implementer", "developer", "reviewer", "integrator"],
  ...["planner", "architect", "plan-reviewer"],
];
const usualRoles = Object.fromEntries(usualNames.map((role) => [role, role]));

export async function prepareDryRun(options: DryRunOptions): Promise<DryRun> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-dry-run-"));
  const close = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    return { ...(await prepare(folder, options)), close };
  } catch (error) {
    close();
    throw error;
  }
}

async function prepare(folder: string, options: DryRunOptions): Promise<Omit<DryRun, "close">> {
  const { workflow: word, payload: given, rejections, ...where } = options;
  const { program: named } = workflowFor(word, where, { ...usualConfig(), agents: usualRoles }, given);
  const repo = await repository(folder, where.repo);
  const config = configFor(named, repo, scriptFor(folder, rejections));
  const task = readTask(taskTextOf(named) ?? `Dry run of ${named.id}\n`, repo);
  const payload = triggerPayload({
    ...{ config, program: named, task, project: noProject, tests: true },
    given: { ...takenPapers(named), ...given },
  });
  const file = workflowFor(word, where, config, payload);
  const program = { ...file.program, steps: file.program.steps.map(hurried) };
  keepUserFolderIn(folder);
  // Its agents are this very program and read the record to make up their answers, in a repository that is thrown away.
  process.env.PAIRFLOW_SANDBOX = "off";
  const world = worldOf(repo, "process");
  const profile = {
    gates: [{ name: "dry-run", command: "true", required: true, timeout_seconds: 60 }],
    source: "given by the dry run",
    confirmed: true,
  };
  await trustOwn(world, { config, gates: profile.gates });
  const handled = await create(world, {
    config,
    profile,
    task,
    baseCommit: await world.workspace.resolve(repo, "main"),
    workflow: { ...file, program },
  });
  if (handled.refusal) throw handled.refusal;
  return { world, bubble, via: "cli", program };
}

/** A workflow that splits a plan and writes none is started with one. */
function takenPapers(program: Program): Payload {
  const written = program.steps.flatMap((step) => (step.kind === "turn" && step.paper ? [step.paper] : []));
  const plan = written.includes("tasks") && !written.includes("plan") ? paperNamed("plan") : undefined;
  return plan ? { papers: { plan: plan.example } } : {};
}

/** Nobody sits through a wait of an hour to see where it leads. */
function hurried(step: Step): Step {
  if (step.kind !== "wait") return step;
  return {
    ...step,
    seconds: typeof step.seconds === "number" ? Math.min(step.seconds, longestWait) : longestWait,
  };
}

/** Every name and role of the workflow is played by an agent of that very name. */
function configFor(program: Program, repo: string, script: string): BubbleConfig {
  const names = [...new Set([...Object.keys(usualRoles), ...namesIn(program), ...neededRoles(program)])];
  const writesDocument = program.steps.some((step) => step.kind === "turn" && step.duties);
  return completeConfig({
    id: bubble,
    repo_path: repo,
    base_branch: "main",
    bubble_branch: `bubble/${bubble}`,
    agents: Object.fromEntries(names.map((name) => [name, name])),
    agent: Object.fromEntries(names.map((name) => [name, { adapter: "scripted", script }])),
    notifications: { enabled: false },
    ...(writesDocument ? { kind: "document", document: "docs/dry-run.md" } : {}),
  });
}

function scriptFor(folder: string, rejections: number): string {
  const words = [...selfCommand(), "workflow", "dry-turn", "--reject", String(rejections)];
  const run = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const path = join(folder, "agent.yaml");
  writeFileSync(path, `turns: [{ steps: [{ run: ${JSON.stringify(run)} }] }]\nthen: repeat-last\n`);
  return path;
}

/** An empty project; of the real one it has only its workflows, which others may start. */
async function repository(folder: string, project: string): Promise<string> {
  const repo = join(folder, "project");
  mkdirSync(repo);
  writeFileSync(join(repo, "README.md"), "# Made by `pairflow workflow run --dry-run`\n");
  await git(repo, ["init", "-q", "-b", "main"]);
  initialise(repo, false);
  const workflows = join(".pairflow", "workflows");
  if (existsSync(join(project, workflows)))
    cpSync(join(project, workflows), join(repo, workflows), { recursive: true });
  await git(repo, ["config", "user.name", "Dry run"]);
  await git(repo, ["config", "user.email", "dry-run@localhost"]);
  await git(repo, ["add", "-A"]);
  await git(repo, ["commit", "-q", "-m", "An empty project"]);
  return repo;
}

const git = (cwd: string, args: readonly string[]) => gitInOwn(cwd, args, "dry-run.git");
