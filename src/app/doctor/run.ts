// Whether everything is there that Pairflow needs, and nothing is left over. Each check is a sentence, with a line to paste where
// something is to be fixed. Nothing is changed but a few files that are made and removed again.
import { join } from "node:path";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { createKnownAdapters } from "../agents/startable.ts";
import { noProject } from "../config/project.ts";
import { type Check, type DoctorFinding, type Group, reportError } from "../host/check.ts";
import { isStoreShared } from "../host/shared/store-choice.ts";
import { type ListedBubble, listBubbles } from "../record/listing.ts";
import { createRecordWorld } from "../record/world.ts";
import { checkStore } from "../store/server-check.ts";
import { checkClis } from "./agents/clis.ts";
import { checkConfinement, checkSandboxes } from "./agents/sandbox.ts";
import { listWantedAgents } from "./agents/wanted.ts";
import { checkDisk } from "./disk/file-system.ts";
import { checkKeys } from "./keys.ts";
import { checkLeftovers } from "./leftovers/files.ts";
import { checkGit, checkNode, checkTmux } from "./machine.ts";
import { checkMcp, checkOwnCommand } from "./own-command.ts";
import { checkRepository } from "./repository.ts";
import { type CheckedSettings, checkUncommitted, checkWorkflows, readSettings } from "./settings.ts";
import { checkTracked } from "./tracked.ts";

/** Every check, for a repository or, without one, for the machine alone. */
export async function examine(repo: string | undefined): Promise<DoctorFinding[]> {
  const git = await checkGit();
  const parts = await Promise.all([checkMachine(repo, git), repo ? checkHome(repo, git) : checkNowhere()]);
  return parts.flat();
}

async function checkMachine(repo: string | undefined, git: Check): Promise<DoctorFinding[]> {
  const parts = await Promise.all([
    addGroup("machine", [checkNode(process.versions.node), git]),
    runCheck("machine", "tmux", async () => [await checkTmux(repo)]),
    runCheck("machine", "command", async () => [await checkOwnCommand()]),
    runCheck("machine", "mcp", async () => [await checkMcp()]),
    runCheck("machine", "confinement", async () => [await checkConfinement()]),
  ]);
  return parts.flat();
}

async function checkNowhere(): Promise<DoctorFinding[]> {
  const none: Check = reportError("repository", "this is not inside a git repository", "git init");
  const agents = await checkAgents("/", { project: noProject, bubbles: [] });
  return [...agents, ...addGroup("repository", [none])];
}

/** Without a git that works nothing is asked of it: every answer would be the same. */
async function checkHome(repo: string, git: Check): Promise<DoctorFinding[]> {
  const world = createRecordWorld(repo);
  const { bubbles, trouble } = await listBubblesOrTrouble(repo, world);
  const settings = await readSettings(repo, world, bubbles);
  const hasGit = git.status === "ok";
  const parts = await Promise.all([
    hasGit ? runCheck("repository", "repository", () => checkRepository(repo)) : [],
    addGroup("repository", [...trouble, ...settings.checks]),
    hasGit ? runCheck("repository", "config", () => checkUncommitted(repo)) : [],
    runCheck("repository", "workflows", async () => [checkWorkflows()]),
    runCheck("repository", "operator key", async () => checkKeys(repo)),
    hasGit ? runCheck("repository", "record", () => checkTracked(repo)) : [],
    runCheck("store", "server", () => checkStore(repo, process.env)),
    runCheck("disk", "disk", () => checkDisk(repo)),
    checkAgents(repo, settings),
    hasGit ? runCheck("leftovers", "leftovers", () => checkLeftovers(repo, bubbles, world.clock.now())) : [],
  ]);
  return parts.flat();
}

/** Records that nobody may read are a finding, and no reason to look at nothing else. */
async function listBubblesOrTrouble(
  repo: string,
  world: RecordWorld,
): Promise<{ bubbles: ListedBubble[]; trouble: Check[] }> {
  try {
    return { bubbles: await listBubbles(world), trouble: [] };
  } catch (error) {
    // Of a server, its own check tells.
    if (isStoreShared(repo)) return { bubbles: [], trouble: [] };
    const says = `the records cannot be listed: ${getMessage(error)}`;
    const fix = `sudo chown -R "$(id -un)" ${quoteShellWord(join(repo, ".pairflow"))}`;
    return { bubbles: [], trouble: [reportError("records", says, fix)] };
  }
}

async function checkAgents(
  repo: string,
  settings: Pick<CheckedSettings, "project" | "bubbles">,
): Promise<DoctorFinding[]> {
  const adapters = createKnownAdapters();
  const wanted = listWantedAgents(repo, settings, adapters);
  const parts = await Promise.all([
    runCheck("agents", "agents", () => checkClis(repo, wanted, { adapters })),
    runCheck("agents", "sandbox", () => checkSandboxes(repo, wanted, adapters)),
  ]);
  return parts.flat();
}

/** A check that breaks is a finding like any other: the others are still worth reading. */
async function runCheck(
  group: Group,
  name: string,
  look: () => Promise<readonly Check[]>,
): Promise<DoctorFinding[]> {
  try {
    return addGroup(group, await look());
  } catch (error) {
    const says = `this could not be checked: ${getMessage(error)}`;
    return addGroup(group, [reportError(name, says, "pairflow doctor --json")]);
  }
}

const addGroup = (group: Group, checks: readonly Check[]): DoctorFinding[] =>
  checks.map((check) => ({ group, ...check }));

const getMessage = (error: unknown): string => (error as { message?: string }).message ?? String(error);
