// Claude Code's own sandbox around the commands it runs. It keeps them in the worktree, but leaves the repository's git
// folder open for commits, and it cannot make a whole worktree read-only; both are closed here as far as it goes.
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { AgentSettings } from "../../../core/model/config.ts";
import { tryOr } from "../../../core/model/value/try-or.ts";
import type { TurnRequest } from "../../../ports/agent/adapter.ts";
import { findMountPoints, isMountPoint } from "../mount-points.ts";
import { getTextSetting } from "../settings.ts";

export const sandboxChoices = ["on", "off"] as const;

/** The programs it is made of on Linux; macOS brings its own. */
const needed = process.platform === "linux" ? ["bwrap", "socat"] : [];

/** Secrets that its own process needs and no command it runs. */
const secrets = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/** The programs of the sandbox that are not on the PATH. */
export function listMissingSandboxPrograms(path = process.env.PATH ?? ""): string[] {
  return needed.filter(
    (program) => !path.split(delimiter).some((folder) => isProgram(join(folder, program))),
  );
}

/** Whether the commands of this agent run in the sandbox: as the setting says, or where it can be had. */
export function isSandboxed(settings: AgentSettings): boolean {
  const given = getTextSetting(settings, "sandbox");
  return given === undefined ? listMissingSandboxPrograms().length === 0 : given === "on";
}

/** Whether no command can run beside the sandbox: the person's own settings may name some that do. */
export function isEveryCommandSandboxed(settings: AgentSettings, env = process.env): boolean {
  return isSandboxed(settings) && !namesExcluded(env);
}

/** A file that cannot be read as settings may name anything. */
function namesExcluded({ CLAUDE_CONFIG_DIR: folder, HOME: home }: NodeJS.ProcessEnv): boolean {
  const text = findText(join(folder || join(home || homedir(), ".claude"), "settings.json"));
  if (text === undefined) return false;
  try {
    const excluded = (JSON.parse(text) as Partial<UserSettings> | null)?.sandbox?.excludedCommands;
    return excluded !== undefined && !(Array.isArray(excluded) && excluded.length === 0);
  } catch {
    return true;
  }
}

interface UserSettings {
  readonly sandbox: { readonly excludedCommands?: unknown };
}

/** The part `sandbox` of the CLI's settings. */
export function buildSandboxSettings({ worktree, out, readOnly }: TurnRequest): object {
  const git = findGitFolder(worktree);
  return {
    enabled: true,
    // A sandbox that cannot be had is said at the start, and not found out by what a command has done.
    failIfUnavailable: true,
    allowUnsandboxedCommands: false,
    autoAllowBashIfSandboxed: true,
    filesystem: {
      allowWrite: [out],
      denyWrite: [...(git === undefined ? [] : [git]), ...(readOnly ? listEntries(worktree) : [])],
    },
    credentials: { envVars: secrets.map((name) => ({ name, mode: "deny" })) },
  };
}

/**
 * What a process that was killed in the middle of a command has left behind: empty files that nobody may write, in the
 * worktree and, as a lock that nobody holds, in the git folder. A process that is asked to end removes them itself.
 */
export function listLeftovers(worktree: string): string[] {
  const git = findGitFolder(worktree);
  const inGit = git === undefined ? [] : ["config.lock", "config.worktree"].map((name) => join(git, name));
  return [...findMountPoints(worktree), ...inGit.filter(isMountPoint)];
}

/** Everything in the worktree; new entries beside them are what the comparison of the tree is for. */
function listEntries(worktree: string): string[] {
  return listFolder(worktree)
    .filter((name) => name !== ".git")
    .map((name) => join(worktree, name));
}

/** The git folder that all worktrees of the repository share, or undefined where there is none. */
function findGitFolder(worktree: string): string | undefined {
  const own = /^gitdir: (.+)$/m.exec(findText(join(worktree, ".git")) ?? "")?.[1];
  if (own === undefined)
    return listFolder(join(worktree, ".git")).length > 0 ? join(worktree, ".git") : undefined;
  const folder = resolve(worktree, own);
  return resolve(folder, findText(join(folder, "commondir"))?.trim() ?? ".");
}

function findText(file: string): string | undefined {
  // a folder, or not there
  return tryOr(() => readFileSync(file, "utf8"), undefined);
}

function listFolder(folder: string): string[] {
  return tryOr(() => readdirSync(folder), []);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
