// Which repository and which bubble a command is about: by flag, by the environment of a turn, or by the current
// directory. Reads files only; no git process is started.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { BubbleId } from "../../core/model/config.ts";
import { refuse } from "../../core/model/refusal.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { describeSchemaProblem } from "../../core/model/value/validate.ts";
import { findBegunWord } from "../../core/text/nearest.ts";
import { isStoreShared } from "./shared/store-choice.ts";

export interface BubbleLocation {
  readonly repo: string;
  readonly bubble: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The main checkout of the repository around a directory; worktrees and bubble clones lead back to it. */
export function findRepo(from: string): string | undefined {
  for (let folder = toRealPath(from); ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const stat = statSync(git, { throwIfNoEntry: false });
    // A bubble's clone carries a note of the repository it belongs to.
    if (stat?.isDirectory()) return note(git)?.repo ?? folder;
    if (stat?.isFile()) return findMainCheckout(git);
    if (folder === dirname(folder)) return undefined;
  }
}

/** A folder that is git's own, without files to work on. */
export const isBareRepository = (folder: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));

const toRealPath = (path: string): string => tryOr(() => realpathSync.native(resolve(path)), resolve(path));

function note(git: string): { repo: string; bubble: string } | undefined {
  return tryOr(() => JSON.parse(readFileSync(join(git, "pairflow.json"), "utf8")), undefined);
}

function readGitFolder(gitFile: string): string {
  const line = /^gitdir: (.+)$/m.exec(readFileSync(gitFile, "utf8"))?.[1] ?? "";
  return resolve(dirname(gitFile), line);
}

/** A worktree's .git file names <main>/.git/worktrees/<name>. */
function findMainCheckout(gitFile: string): string | undefined {
  const gitdir = readGitFolder(gitFile);
  return basename(dirname(gitdir)) === "worktrees" ? dirname(dirname(dirname(gitdir))) : undefined;
}

export function requireRepo(flag: string | undefined, cwd: string, env: Env): string {
  const repo = flag ? findRepo(flag) : (env.PAIRFLOW_REPO ?? findRepo(cwd));
  if (!repo || !existsSync(repo))
    throw refuse(
      "repo.not-found",
      `${flag ?? cwd} is not inside a git repository`,
      isBareRepository(flag ?? cwd)
        ? "it is a bare repository; make a checkout of it: git worktree add ../work"
        : flag
          ? "git init, or give --repo a repository"
          : "cd into a repository, add --repo <path>, or make one here: git init",
    );
  return toRealPath(repo);
}

/** Ids come from people and agents: they are checked before they become a path. */
export function checkId(id: string, hint = "pairflow bubble list"): string {
  const problem = describeSchemaProblem(BubbleId, id);
  if (problem) throw refuse("bubble.bad-id", `${JSON.stringify(id)} is no bubble id: it ${problem}`, hint);
  return id;
}

/** The bubble a command is about, and its repository. */
export function locateBubble(flags: { id?: string; repo?: string }, cwd: string, env: Env): BubbleLocation {
  const repo = requireRepo(flags.repo, cwd, env);
  const id = flags.id ?? env.PAIRFLOW_BUBBLE ?? findBubbleHere(repo, cwd);
  if (!id) throw refuse("bubble.not-given", "which bubble?", "add its id; pairflow bubble list shows them");
  const bubble = checkId(id);
  // Where several machines share the records, this one may have no folder of it yet.
  if (!isStoreShared(repo, env) && !existsSync(join(repo, ".pairflow", "bubbles", bubble))) {
    // To a word of a few letters every other one is near.
    const near = bubble.length > 3 ? findBegunWord(bubble, listBubbleNames(repo)) : undefined;
    throw refuse(
      "bubble.unknown",
      `there is no bubble ${bubble} in ${repo}${near ? `; did you mean ${near}?` : ""}`,
      near ? `pairflow bubble status --id ${near}` : "pairflow bubble list",
    );
  }
  return { repo, bubble };
}

function listBubbleNames(repo: string): string[] {
  const folder = join(repo, ".pairflow", "bubbles");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The bubble whose worktree or clone we stand in. */
export function findBubbleHere(repo: string, cwd: string): string | undefined {
  const root = getWorktreeRoot(repo);
  const here = toRealPath(cwd);
  if (here.startsWith(`${root}/`)) return here.slice(root.length + 1).split("/")[0];
  return findBubbleWorktree(repo, here)?.bubble;
}

/** The worktree or clone of this repository that holds a path, wherever it stands: by the note in its git folder. */
export function findBubbleWorktree(repo: string, path: string): { top: string; bubble: string } | undefined {
  for (let folder = toRealPath(path); ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const stat = statSync(git, { throwIfNoEntry: false });
    const found = stat && note(stat.isFile() ? readGitFolder(git) : git);
    if (stat)
      return found && toRealPath(found.repo) === toRealPath(repo)
        ? { top: folder, bubble: found.bubble }
        : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

/** <repo_parent>/.pairflow-worktrees/<repo>/, or a folder of this repository in the one that the settings name. */
export function getWorktreeRoot(repo: string, folder?: string): string {
  if (folder === undefined) return join(dirname(repo), ".pairflow-worktrees", basename(repo));
  const told = folder.startsWith("~/") ? join(homedir(), folder.slice(2)) : resolve(repo, folder);
  const mark = createHash("sha256").update(repo).digest("hex").slice(0, 6);
  return join(told, `${basename(repo).replace(/^\.+/, "")}-${mark}`);
}

/** Where one turn's agent puts files it hands in: beside its worktree, outside every tree. */
export function getOutFolder(worktree: string, turn: string): string {
  return join(dirname(worktree), ".out", basename(worktree), turn);
}

/** The file a person edits to change a bubble's settings. */
export function getConfigFile(repo: string, bubble: string): string {
  return join(repo, ".pairflow", "bubbles", bubble, "bubble.toml");
}
