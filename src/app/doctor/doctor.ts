// Is everything there that Pairflow stands on, and is nothing left over? A dry run: each check is a sentence, and a line
// to paste where something is to be fixed. Nothing is changed but a few files that are made and taken away again.
import { join } from "node:path";
import type { RecordWorld } from "../../engine/world/world.ts";
import { knownAdapters } from "../agents/find.ts";
import { noProject } from "../config/project.ts";
import { type Check, type Finding, type Group, shellWord } from "../host/check.ts";
import { type ListedBubble, listBubbles } from "../record/listing.ts";
import { recordWorld } from "../record/world.ts";
import { cliChecks } from "./clis.ts";
import { diskChecks } from "./disk.ts";
import { keyChecks } from "./keys.ts";
import { leftoverChecks } from "./leftovers.ts";
import { gitCheck, nodeCheck, tmuxCheck } from "./machine.ts";
import { commandCheck, mcpCheck } from "./own-command.ts";
import { repositoryChecks } from "./repository.ts";
import { confinementCheck, sandboxChecks } from "./sandbox.ts";
import { readSettings, type Settings, uncommittedChecks, workflowsCheck } from "./settings.ts";
import { trackedChecks } from "./tracked.ts";
import { wantedAgents } from "./wanted.ts";

/** Every check, for a repository or, without one, for the machine alone. */
export async function examine(repo: string | undefined): Promise<Finding[]> {
  const git = await gitCheck();
  const parts = await Promise.all([machineFindings(repo, git), repo ? homeFindings(repo, git) : nowhere()]);
  return parts.flat();
}

async function machineFindings(repo: string | undefined, git: Check): Promise<Finding[]> {
  const parts = await Promise.all([
    placed("machine", [nodeCheck(process.versions.node), git]),
    found("machine", "tmux", async () => [await tmuxCheck(repo)]),
    found("machine", "command", async () => [await commandCheck()]),
    found("machine", "mcp", async () => [await mcpCheck()]),
    found("machine", "confinement", async () => [await confinementCheck()]),
  ]);
  return parts.flat();
}

async function nowhere(): Promise<Finding[]> {
  const none: Check = {
    name: "repository",
    status: "error",
    says: "this is not inside a git repository",
    fix: "git init",
  };
  const agents = await agentFindings("/", { project: noProject, bubbles: [] });
  return [...agents, ...placed("repository", [none])];
}

/** Without a git that works nothing is asked of it: every answer would be the same. */
async function homeFindings(repo: string, git: Check): Promise<Finding[]> {
  const world = recordWorld(repo);
  const { bubbles, trouble } = await listed(repo, world);
  const settings = await readSettings(repo, world, bubbles);
  const hasGit = git.status === "ok";
  const parts = await Promise.all([
    hasGit ? found("repository", "repository", () => repositoryChecks(repo)) : [],
    placed("repository", [...trouble, ...settings.checks]),
    hasGit ? found("repository", "config", () => uncommittedChecks(repo)) : [],
    found("repository", "workflows", async () => [workflowsCheck()]),
    found("repository", "operator key", async () => keyChecks(repo)),
    hasGit ? found("repository", "record", () => trackedChecks(repo)) : [],
    found("disk", "disk", () => diskChecks(repo)),
    agentFindings(repo, settings),
    hasGit ? found("leftovers", "leftovers", () => leftoverChecks(repo, bubbles, world.clock.now())) : [],
  ]);
  return parts.flat();
}

/** Records that nobody may read are a finding, and no reason to look at nothing else. */
async function listed(
  repo: string,
  world: RecordWorld,
): Promise<{ bubbles: ListedBubble[]; trouble: Check[] }> {
  try {
    return { bubbles: await listBubbles(world), trouble: [] };
  } catch (error) {
    const says = `the records cannot be listed: ${messageOf(error)}`;
    const fix = `sudo chown -R "$(id -un)" ${shellWord(join(repo, ".pairflow"))}`;
    return { bubbles: [], trouble: [{ name: "records", status: "error", says, fix }] };
  }
}

async function agentFindings(
  repo: string,
  settings: Pick<Settings, "project" | "bubbles">,
): Promise<Finding[]> {
  const adapters = knownAdapters();
  const wanted = wantedAgents(repo, settings, adapters);
  const parts = await Promise.all([
    found("agents", "agents", () => cliChecks(repo, wanted, { adapters })),
    found("agents", "sandbox", () => sandboxChecks(repo, wanted, adapters)),
  ]);
  return parts.flat();
}

/** A check that breaks is a finding like any other: the others are still worth reading. */
async function found(group: Group, name: string, look: () => Promise<readonly Check[]>): Promise<Finding[]> {
  try {
    return placed(group, await look());
  } catch (error) {
    const says = `this could not be checked: ${messageOf(error)}`;
    return placed(group, [{ name, status: "error", says, fix: "pairflow doctor --json" }]);
  }
}

const placed = (group: Group, checks: readonly Check[]): Finding[] =>
  checks.map((check) => ({ group, ...check }));

const messageOf = (error: unknown): string => (error as { message?: string }).message ?? String(error);
