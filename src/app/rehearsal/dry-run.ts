// A dry run: the workflow as it is, walked with scripted agents in a throw-away repository.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program, Step } from "../../core/model/program.ts";
import { quoteShellText } from "../../core/model/value/shell-word.ts";
import { findPaperKind } from "../../core/paper/kinds.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import { initialise } from "../config/init.ts";
import { noProject } from "../config/project.ts";
import { runGitInOwn } from "../host/own-repository.ts";
import { getSelfCommand } from "../host/package-root.ts";
import { keepUserFolderIn } from "../host/user-folder.ts";
import { listPlayers } from "../making/agents.ts";
import { makeBubble } from "../making/make.ts";
import { buildTriggerPayload, describeProgramTasks } from "../making/payload.ts";
import { readTask } from "../task/file.ts";
import { confirmOwnPrograms } from "../trust/confirm.ts";
import type { OperatorCall } from "../trust/operator-call.ts";
import type { Payload } from "../workflows/file.ts";
import { buildUsualConfig, loadWorkflowFor } from "../workflows/find.ts";
import { createWorld } from "../world/world.ts";

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
  ...["requirements-gatherer", "planner", "architect", "plan-reviewer", "code-reviewer"],
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
  const repo = join(folder, "project");
  const settings = { ...buildUsualConfig(), ...buildPlace(repo), agents: usualRoles };
  const workflow = loadWorkflowFor(word, where, settings, given);
  const { program: named } = workflow;
  await makeRepository(repo, where.repo);
  const config = buildConfig(named, repo, getScript(folder, rejections));
  const task = readTask(describeProgramTasks(named) ?? `Dry run of ${named.id}\n`, repo);
  const payload = buildTriggerPayload({
    ...{ config, task, project: noProject, tests: true },
    given: { ...buildTakenPapers(named), ...given },
  });
  const program = { ...named, steps: named.steps.map(shortenWait), payload };
  keepUserFolderIn(folder);
  // Its agents are this very program and read the record to make up their answers, in a repository that is thrown away.
  process.env.PAIRFLOW_SANDBOX = "off";
  const world = createWorld(repo, "process");
  const profile = {
    gates: [{ name: "dry-run", command: "true", required: true, timeout_seconds: 60 }],
    source: "given by the dry run",
    confirmed: true,
  };
  await confirmOwnPrograms(world, { config, gates: profile.gates });
  const { refusal } = await makeBubble(world, {
    ...{ config, profile, task, workflow: { ...workflow, program } },
    baseCommit: await world.workspace.resolve(repo, "main"),
  });
  if (refusal) throw refusal;
  return { world, bubble, via: "cli", program };
}

/** A workflow that splits a plan and writes none is started with one. */
function buildTakenPapers(program: Program): Payload {
  const written = program.steps.flatMap((step) => (step.kind === "turn" && step.paper ? [step.paper] : []));
  const plan = written.includes("tasks") && !written.includes("plan") ? findPaperKind("plan") : undefined;
  return plan ? { papers: { plan: plan.example } } : {};
}

/** Nobody sits through a wait of an hour to see where it leads. */
function shortenWait(step: Step): Step {
  if (step.kind !== "wait") return step;
  return {
    ...step,
    seconds: typeof step.seconds === "number" ? Math.min(step.seconds, longestWait) : longestWait,
  };
}

const buildPlace = (repo: string) => ({
  ...{ id: bubble, bubble_branch: `bubble/${bubble}` },
  ...{ repo_path: repo, base_branch: "main" },
});

/** Every name and role of the workflow is played by an agent of that very name. */
function buildConfig(program: Program, repo: string, script: string): BubbleConfig {
  const names = [...new Set([...usualNames, ...listPlayers(program)])];
  const writesDocument = program.steps.some((step) => step.kind === "turn" && step.duties);
  return completeConfigValues({
    ...buildPlace(repo),
    agents: Object.fromEntries(names.map((name) => [name, name])),
    agent: Object.fromEntries(names.map((name) => [name, { adapter: "scripted", script }])),
    notifications: { enabled: false },
    ...(writesDocument ? { kind: "document", document: "docs/dry-run.md" } : {}),
  });
}

function getScript(folder: string, rejections: number): string {
  const words = [...getSelfCommand(), "workflow", "dry-turn", "--reject", String(rejections)];
  const run = words.map(quoteShellText).join(" ");
  const path = join(folder, "agent.yaml");
  writeFileSync(path, `turns: [{ steps: [{ run: ${JSON.stringify(run)} }] }]\nthen: repeat-last\n`);
  return path;
}

/** An empty project; of the real one it has only its workflows, which others may start. */
async function makeRepository(repo: string, project: string): Promise<void> {
  mkdirSync(repo);
  writeFileSync(join(repo, "README.md"), "# Made by `pairflow workflow run --dry-run`\n");
  await runGit(repo, ["init", "-q", "-b", "main"]);
  initialise(repo, { isPrivate: false, config: "" });
  const workflows = join(".pairflow", "workflows");
  if (existsSync(join(project, workflows)))
    cpSync(join(project, workflows), join(repo, workflows), { recursive: true });
  await runGit(repo, ["config", "user.name", "Dry run"]);
  await runGit(repo, ["config", "user.email", "dry-run@localhost"]);
  await runGit(repo, ["add", "-A"]);
  await runGit(repo, ["commit", "-q", "-m", "An empty project"]);
}

const runGit = (cwd: string, args: readonly string[]) => runGitInOwn(cwd, args, "dry-run.git");
