// How git is called, always: a scrubbed environment and a private git folder in the place of the repository's, so that
// an agent's edit of a configuration file starts no program in the referee and hides no change from it.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { safeArguments, safeVariables, withoutUserSettings } from "../../../core/permission/git/programs.ts";
import type { CrashPoint } from "../../../ports/crash-point.ts";
import { Failure } from "../../../ports/failure.ts";
import type { ExecResult, Processes } from "../../../ports/system/process.ts";
import { getCommonDir, makePrivateGit, parseSettings, readFileRules } from "./private-git.ts";

/** What every part of this adapter works with. */
export interface Kit {
  readonly processes: Processes;
  /** Holds the private index and the private git folder of each bubble. */
  readonly runtimeDir: string;
  /** With the user's own configuration; only settings are read with it. */
  readonly env: Readonly<Record<string, string>>;
  readonly crashPoint: CrashPoint;
}

/** Where a git command looks. Without `gitDir` git finds it by itself, which only `clone` and `init` need. */
export interface Dirs {
  readonly workTree: string;
  readonly gitDir?: string;
  /** Whose rules about files hold; without it those of the repository as they are now. */
  readonly bubble?: string;
  /** Filters that a person has allowed for this bubble. */
  readonly filters?: readonly string[];
  /** An index of our own; without it git uses the one of `gitDir`. */
  readonly index?: string;
}

export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly maxBytes?: number;
  /**
   * Reads the repository's own configuration. Only for commands that need its git folder itself, and that neither look
   * at a file nor at an attribute.
   */
  readonly direct?: boolean;
}

/** Long enough for a first checkout of a very large repository; a hung git still ends. */
const timeoutMs = 600_000;

const settings = [
  // No change to a file stays unseen.
  "core.ignoreStat=false",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.sparseCheckout=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "index.version=2",
  // A ref is on the disk before it gets its name; objects are synced by sync-objects.ts. Git before 2.36 passes this over.
  "core.fsync=reference",
  "core.fsyncMethod=fsync",
  // The same outcome whatever the user's taste.
  "core.safecrlf=false",
  "core.quotePath=false",
  "i18n.commitEncoding=UTF-8",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

/** The part of the caller's environment git may see, for reading the user's own settings, such as the identity. */
export function pickGitEnv(from: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = ["PATH", "HOME", "XDG_CONFIG_HOME"].flatMap((name) => {
    const value = from[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...safeVariables };
}

/** A neighbour's worktree is registered file by file; who looks in between finds one that cannot be read yet. */
const halfRegistered = /failed to read .*\/worktrees\/[^/]+\/(?:commondir|gitdir|HEAD)/;
const waitsMs = [10, 30, 100, 300, 1_000];

/** Runs git and returns whatever it answers. */
export async function tryGit(
  kit: Kit,
  dirs: Dirs,
  args: readonly string[],
  more: GitOptions = {},
): Promise<ExecResult> {
  for (const ms of waitsMs) {
    const result = await runOnce(kit, dirs, args, more);
    if (result.code === 0 || !halfRegistered.test(result.stderr)) return result;
    await pause(ms);
  }
  return runOnce(kit, dirs, args, more);
}

async function runOnce(kit: Kit, dirs: Dirs, args: readonly string[], more: GitOptions): Promise<ExecResult> {
  const env = {
    ...kit.env,
    ...withoutUserSettings,
    ...(dirs.gitDir && (await buildRepositoryVariables(kit, dirs, dirs.gitDir, more))),
    ...more.env,
  };
  return kit.processes.exec(["git", ...safeArguments, ...settings, ...args], {
    cwd: dirs.workTree,
    env,
    timeoutMs,
    ...(more.input !== undefined && { input: more.input }),
    ...(more.maxBytes !== undefined && { maxBytes: more.maxBytes }),
  });
}

async function buildRepositoryVariables(
  kit: Kit,
  dirs: Dirs,
  gitDir: string,
  { direct }: GitOptions,
): Promise<Record<string, string>> {
  return {
    GIT_DIR: direct ? gitDir : await ensurePrivateGit(kit, { ...dirs, gitDir }),
    GIT_WORK_TREE: dirs.workTree,
    GIT_INDEX_FILE: dirs.index ?? join(gitDir, "index"),
  };
}

/** The private git folder for a bubble's tree, or for a repository as a whole; made when it is not there. */
export async function ensurePrivateGit(kit: Kit, dirs: Dirs & { readonly gitDir: string }): Promise<string> {
  const folder = getPrivateFolder(kit, dirs);
  if (!existsSync(folder)) {
    const listed = await listSettings(kit, dirs);
    const rules = readFileRules(dirs.gitDir, listed, kit.env);
    const filters = dirs.filters?.length ? await filterSettings(kit, dirs, dirs.filters) : {};
    makePrivateGit(folder, dirs.gitDir, { ...rules, settings: { ...rules.settings, ...filters } });
  }
  return folder;
}

function getPrivateFolder(kit: Kit, { gitDir, bubble }: Dirs & { readonly gitDir: string }): string {
  if (bubble !== undefined) return join(kit.runtimeDir, `${bubble}.git`);
  const common = process.getBuiltinModule("node:crypto").hash("sha256", getCommonDir(gitDir), "hex");
  return join(kit.runtimeDir, `repository-${common.slice(0, 16)}.git`);
}

/** Forgets the private git folder; the next call makes one of what the repository says then. */
export function dropPrivateGit(kit: Kit, dirs: Dirs & { readonly gitDir: string }): void {
  rmSync(getPrivateFolder(kit, dirs), { recursive: true, force: true });
}

/**
 * How the user's own configuration, or the machine's, defines these filters. The repository's has no say: an agent can
 * write it, and so can the author of a folder that was unpacked.
 */
export async function filterSettings(
  kit: Kit,
  dirs: Dirs,
  names: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const scope of ["--system", "--global"]) {
    const { code, stdout } = await readConfig(kit, dirs, ["config", scope, "-z", "--list", "--includes"]);
    if (code !== 0) continue;
    for (const [key, value] of parseSettings(stdout))
      if (names.some((name) => filterKeys.some((last) => key === `filter.${name}.${last}`)))
        found[key] = value;
  }
  return found;
}

const filterKeys = ["clean", "smudge", "process", "required"];

/** All settings that hold in a repository, the user's own included, as git lists them with `-z`. */
export async function listSettings(kit: Kit, dirs: Dirs): Promise<string> {
  const args = ["config", "-z", "--list", "--includes"];
  const result = await readConfig(kit, dirs, args);
  if (result.code !== 0) throw toGitFailure("git.failed", args, result);
  return result.stdout;
}

/** Reads settings: the one thing for which the configuration of repository and user is asked. It runs no program. */
export function readConfig(kit: Kit, dirs: Dirs, args: readonly string[]): Promise<ExecResult> {
  const env = { ...kit.env, ...(dirs.gitDir && { GIT_DIR: dirs.gitDir }) };
  return kit.processes.exec(["git", ...args], { cwd: dirs.workTree, env });
}

/** Runs git and returns its stdout. Throws Failure `git.failed` with git's own words. */
export async function runGit(
  kit: Kit,
  dirs: Dirs,
  args: readonly string[],
  more?: GitOptions,
): Promise<string> {
  const result = await tryGit(kit, dirs, args, more);
  if (result.code !== 0) throw toNotFetched(dirs, result) ?? toGitFailure("git.failed", args, result);
  return result.stdout;
}

/** The same without the newline at the end. */
export async function runGitLine(
  kit: Kit,
  dirs: Dirs,
  args: readonly string[],
  more?: GitOptions,
): Promise<string> {
  return (await runGit(kit, dirs, args, more)).trim();
}

/** In a partial clone git would fetch what it lacks, by a program that a remote's settings name: a person does that. */
function toNotFetched({ gitDir, workTree }: Dirs, { stderr }: ExecResult): Failure | undefined {
  if (!gitDir || !/bad file|missing (?:blob|tree|object)|unable to read|lazy fetching|promisor/.test(stderr))
    return undefined;
  const packs = join(getCommonDir(gitDir), "objects", "pack");
  const isPartial = existsSync(packs) && readdirSync(packs).some((name) => name.endsWith(".promisor"));
  if (!isPartial) return undefined;
  return new Failure(
    "git.object-missing",
    `${workTree} is a partial clone, and an object that is needed was not fetched yet: ${stderr.trim().split("\n")[0]}`,
    {
      hint: `git -C '${workTree}' fetch --refetch --no-filter    # fetches all of it; then repeat the command`,
    },
  );
}

export function toGitFailure(
  code: string,
  args: readonly string[],
  result: ExecResult,
  more: { hint?: string; retryable?: boolean } = {},
): Failure {
  const words = result.stderr.trim().split("\n").slice(0, 5).join("\n");
  const emptied = /object file (\S+) is empty/.exec(words)?.[1];
  // A lock of another git process is gone a moment later.
  const retryable = /\.lock': File exists/.test(words);
  return new Failure(code, `git ${args[0]}: ${words || `exit code ${result.code}`}`, {
    retryable,
    // What a power cut left under the name of an object that an agent had written.
    ...(emptied && { hint: `rm -f ${emptied}` }),
    ...more,
  });
}

/** What the configuration says when none of our own settings speak over it; empty when it says nothing. */
export async function readSetting(kit: Kit, dirs: Dirs, key: string, type: "bool" | "path"): Promise<string> {
  const args = ["config", `--type=${type}`, key];
  const result = await readConfig(kit, dirs, args);
  if (result.code > 1) throw toGitFailure("git.failed", args, result);
  return result.stdout.trim();
}

/** The items of a `-z` listing. */
export function splitZ(text: string): string[] {
  return text.split("\0").filter((item) => item !== "");
}
