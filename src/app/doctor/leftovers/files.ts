// What earlier bubbles left behind: worktrees and panes that belong to no bubble, locks of dead processes, records
// that cannot be read, work that nobody sees to. None of it does harm, but somebody may look for it.
import { existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { createProcessMarks } from "../../../adapters/lock/process-marks.ts";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import { tryOr } from "../../../core/model/value/try-or.ts";
import { salvageHint } from "../../../ports/record/log.ts";
import { type Check, reportError, reportOk, reportWarning } from "../../host/check.ts";
import { getCleanRoot } from "../../host/clean-root.ts";
import { askGit } from "../../host/git-questions.ts";
import { getWorktreeRoot } from "../../host/locate.ts";
import { computeRepoTag, getTmuxSocket } from "../../host/repositories/names.ts";
import type { ListedBubble } from "../../record/listing.ts";
import { ask, getStdout } from "../ask.ts";
import { checkAhead, checkLostProcesses, checkUndriven } from "./drivers.ts";

export async function checkLeftovers(
  repo: string,
  bubbles: readonly ListedBubble[],
  now: string,
): Promise<Check[]> {
  const known = new Set(bubbles.map((bubble) => bubble.id));
  const found = [
    ...bubbles.filter((bubble) => bubble.problem).map(reportUnreadable),
    ...checkUndriven(bubbles),
    ...checkAhead(bubbles, now),
    ...(await checkLostProcesses(repo, bubbles)),
    ...checkLostWorktrees(repo, known),
    ...checkLostCheckouts(repo, known),
    ...(await checkMissingWorktrees(repo)),
    ...(await checkLostSessions(repo, known)),
    ...checkStaleLocks(repo),
  ];
  return found.length > 0 ? found : [reportOk("leftovers", "nothing is left over from earlier bubbles")];
}

function reportUnreadable({ id, problem = "", trouble }: ListedBubble): Check {
  const isDamaged = trouble?.kind === "damaged";
  return reportError(
    "record",
    isDamaged ? problem : `the record of ${id} cannot be read: ${problem}`,
    isDamaged ? salvageHint(id) : `pairflow verify --id ${id}`,
  );
}

function checkLostWorktrees(repo: string, known: ReadonlySet<string>): Check[] {
  const root = getWorktreeRoot(repo);
  return listNames(root)
    .filter((name) => !name.startsWith(".") && !known.has(name.replace(/\.partial$/, "")))
    .map((name): Check => {
      const path = join(root, name);
      const isWorktree = statSync(join(path, ".git"), { throwIfNoEntry: false })?.isFile();
      const fix = isWorktree
        ? `git -C ${quoteShellWord(repo)} worktree remove ${quoteShellWord(path)}`
        : `ls -la ${quoteShellWord(path)} && rm -rI ${quoteShellWord(path)}`;
      return reportWarning("worktree", `${path} belongs to no bubble`, fix);
    });
}

const hourMs = 3_600_000;

/** Clean checkouts are removed when their gates have run; one that stays was left by a driver that was killed. */
function checkLostCheckouts(repo: string, known: ReadonlySet<string>): Check[] {
  const root = join(getCleanRoot(process.env), computeRepoTag(repo));
  return listNames(root)
    .map((name) => ({ name, path: join(root, name) }))
    .filter(({ name, path }) => {
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      return !known.has(name.split(".")[0] ?? "") || age > hourMs;
    })
    .map(({ path }) =>
      reportWarning(
        "checkout",
        `${path} was left by a gate run that was cut off`,
        `rm -rf ${quoteShellWord(path)}`,
      ),
    );
}

/** Worktrees that git knows and that were deleted by hand. */
async function checkMissingWorktrees(repo: string): Promise<Check[]> {
  const listed = (await askGit(repo, "worktree", "list", "--porcelain")) ?? "";
  const gone = listed.split("\n\n").filter((entry) => /^prunable/m.test(entry));
  const paths = gone
    .filter((entry) => entry.includes(getWorktreeRoot(repo)) || /^branch refs\/heads\/bubble\//m.test(entry))
    .map((entry) => /^worktree (.*)$/m.exec(entry)?.[1] ?? "");
  return paths.map((path) =>
    reportWarning(
      "worktree",
      `${path} was deleted by hand; git still lists it`,
      `git -C ${quoteShellWord(repo)} worktree prune`,
    ),
  );
}

async function checkLostSessions(repo: string, known: ReadonlySet<string>): Promise<Check[]> {
  const socket = getTmuxSocket(repo);
  const listed = await ask(["tmux", "-L", socket, "list-sessions", "-F", "#{session_name}"]);
  const sessions = getStdout(listed)?.split("\n") ?? [];
  return sessions
    .filter((session) => session.startsWith("pf-") && !known.has(session.slice(3)))
    .map((session) =>
      reportWarning(
        "panes",
        `the tmux session ${session} belongs to no bubble`,
        `tmux -L ${quoteShellWord(socket)} kill-session -t '=${session}'`,
      ),
    );
}

/** A dead holder's lock is taken over by the next command; only one that nobody comes for stays. */
function checkStaleLocks(repo: string): Check[] {
  const folder = join(repo, ".pairflow", "locks");
  return listNames(folder)
    .filter((name) => name.endsWith(".lock") && isStale(join(folder, name)))
    .map((name) =>
      reportWarning(
        "lock",
        `${name} was left by a process that ended`,
        `rm ${quoteShellWord(join(folder, name))}`,
      ),
    );
}

function isStale(path: string): boolean {
  const [, pid, started = "", host = ""] =
    /^(\d+) (\d+|-) (\S+)/.exec(tryOr(() => readlinkSync(path), "")) ?? [];
  if (!pid) return true;
  return (
    createProcessMarks().alive({ pid: Number(pid), started: started === "-" ? "" : started, host }) === false
  );
}

function listNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
