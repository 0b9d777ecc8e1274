// Is everything there that Pairflow stands on, and is nothing left over? Each check is a sentence, and a command
// where something is to be mended. Nothing is changed but one file that is made and taken away again.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentChecks } from "./doctor/agents.ts";
import { type Check, versionCheck } from "./doctor/check.ts";
import { diskChecks } from "./doctor/disk.ts";
import { leftoverChecks } from "./doctor/leftovers.ts";
import { askGit, isIgnored, tryRun } from "./git-questions.ts";
import { type ProjectConfig, parseProjectConfig, projectFile } from "./project-config.ts";

/** Every check, for a repository or, without one, for the machine alone. */
export async function examine(repo: string | undefined): Promise<Check[]> {
  const machine = [nodeCheck(process.versions.node), await gitCheck(), await tmuxCheck()];
  if (!repo) {
    return [
      ...machine,
      { name: "repository", status: "error", says: "this is not inside a git repository", fix: "git init" },
    ];
  }
  const { check, project } = configCheck(repo);
  return [
    ...machine,
    ...diskChecks(repo),
    await ignoredCheck(repo),
    check,
    ...(await uncommitted(repo)),
    ...agentChecks(repo, project),
    ...(await leftoverChecks(repo)),
  ];
}

function nodeCheck(version: string): Check {
  return versionCheck("node", version, [20, 19], "install Node.js 20.19 or newer from nodejs.org");
}

async function gitCheck(): Promise<Check> {
  const answer = await tryRun(["git", "--version"]);
  return versionCheck(
    "git",
    answer?.stdout ?? "",
    [2, 38],
    "install git 2.38 or newer, for example: sudo apt-get install git",
  );
}

/** Only panes need tmux. */
async function tmuxCheck(): Promise<Check> {
  const answer = await tryRun(["tmux", "-V"]);
  const check = versionCheck(
    "tmux",
    answer?.stdout ?? "",
    [3, 2],
    "sudo apt-get install tmux, or use: pairflow bubble start --headless",
  );
  return check.status === "error" ? { ...check, status: "warning" } : check;
}

async function ignoredCheck(repo: string): Promise<Check> {
  const name = "ignored";
  const ignored = await isIgnored(repo, ".pairflow/bubbles/x");
  if (ignored) return { name, status: "ok", says: "git ignores the records in .pairflow" };
  return {
    name,
    status: "error",
    says: "git does not ignore .pairflow, so records would be committed",
    fix: "pairflow init",
  };
}

function configCheck(repo: string): { check: Check; project: ProjectConfig } {
  const name = "config";
  const empty = { agents: {}, defaults: {} };
  const path = join(repo, projectFile);
  if (!existsSync(path))
    return { check: { name, status: "ok", says: `no ${projectFile}; defaults are used` }, project: empty };
  try {
    const project = parseProjectConfig(readFileSync(path, "utf8"), projectFile);
    return { check: { name, status: "ok", says: `${projectFile} is valid` }, project };
  } catch (problem) {
    const { message, details = [] } = problem as { message: string; details?: readonly string[] };
    return {
      check: { name, status: "error", says: [message, ...details].join("; "), fix: `mend ${projectFile}` },
      project: empty,
    };
  }
}

/** Bubbles read the configuration from their base commit, which surprises whoever has just edited it. */
async function uncommitted(repo: string): Promise<Check[]> {
  const changed = await askGit(repo, "status", "--porcelain", "--", projectFile);
  if (!changed) return [];
  return [
    {
      name: "config",
      status: "warning",
      says: `${projectFile} is not committed; new bubbles do not see it yet`,
      fix: `git add ${projectFile} && git commit`,
    },
  ];
}
