// What earlier bubbles left behind: worktrees and panes that belong to no bubble, locks of dead processes, records
// that cannot be read. None of it does harm, but somebody may look for it.
import { existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { processMarks } from "../../adapters/lock/process-marks.ts";
import { askGit, tryRun } from "../git-questions.ts";
import { listBubbles } from "../listing.ts";
import { worktreeRoot } from "../locate.ts";
import { recordWorld } from "../record-world.ts";
import { tmuxSocket } from "../world.ts";
import type { Check } from "./check.ts";

export async function leftoverChecks(repo: string): Promise<Check[]> {
  const bubbles = await listBubbles(recordWorld(repo));
  const known = new Set(bubbles.map((bubble) => bubble.id));
  const found = [
    ...bubbles.filter((bubble) => bubble.problem).map(({ id, problem = "" }) => unreadable(id, problem)),
    ...lostWorktrees(repo, known),
    ...(await missingWorktrees(repo)),
    ...(await lostSessions(repo, known)),
    ...staleLocks(repo),
  ];
  return found.length > 0
    ? found
    : [{ name: "leftovers", status: "ok", says: "nothing is left over from earlier bubbles" }];
}

function unreadable(id: string, problem: string): Check {
  return {
    name: "record",
    status: "error",
    says: `the record of ${id} cannot be read: ${problem}`,
    fix: `pairflow verify --id ${id}`,
  };
}

function lostWorktrees(repo: string, known: ReadonlySet<string>): Check[] {
  const root = worktreeRoot(repo);
  return names(root)
    .filter((name) => !name.startsWith(".") && !known.has(name.replace(/\.partial$/, "")))
    .map((name): Check => {
      const path = join(root, name);
      const isWorktree = statSync(join(path, ".git"), { throwIfNoEntry: false })?.isFile();
      const fix = isWorktree ? `git -C ${repo} worktree remove ${path}` : `look into it, then: rm -r ${path}`;
      return { name: "worktree", status: "warning", says: `${path} belongs to no bubble`, fix };
    });
}

/** Worktrees that git knows and that were deleted by hand. */
async function missingWorktrees(repo: string): Promise<Check[]> {
  const listed = (await askGit(repo, "worktree", "list", "--porcelain")) ?? "";
  const gone = listed.split("\n\n").filter((entry) => /^prunable/m.test(entry));
  const paths = gone
    .map((entry) => /^worktree (.*)$/m.exec(entry)?.[1] ?? "")
    .filter((path) => path.startsWith(worktreeRoot(repo)));
  return paths.map((path) => ({
    name: "worktree",
    status: "warning",
    says: `${path} was deleted by hand; git still lists it`,
    fix: `git -C ${repo} worktree prune`,
  }));
}

async function lostSessions(repo: string, known: ReadonlySet<string>): Promise<Check[]> {
  const socket = tmuxSocket(repo);
  const listed = await tryRun(["tmux", "-L", socket, "list-sessions", "-F", "#{session_name}"]);
  const sessions = listed?.code === 0 ? listed.stdout.split("\n") : [];
  return sessions
    .filter((session) => session.startsWith("pf-") && !known.has(session.slice(3)))
    .map((session) => ({
      name: "panes",
      status: "warning",
      says: `the tmux session ${session} belongs to no bubble`,
      fix: `tmux -L ${socket} kill-session -t '=${session}'`,
    }));
}

/** A dead holder's lock is taken over by the next command; only one that nobody comes for stays. */
function staleLocks(repo: string): Check[] {
  const folder = join(repo, ".pairflow", "locks");
  return names(folder)
    .filter((name) => name.endsWith(".lock") && isStale(join(folder, name)))
    .map((name) => ({
      name: "lock",
      status: "warning",
      says: `${name} was left by a process that ended`,
      fix: `rm ${join(folder, name)}`,
    }));
}

function isStale(path: string): boolean {
  const [, pid, started = "", host = ""] = /^(\d+) (\d+|-) (\S+)/.exec(holderOf(path)) ?? [];
  if (!pid) return true;
  return processMarks().alive({ pid: Number(pid), started: started === "-" ? "" : started, host }) === false;
}

function holderOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
