// The repository as bubbles need it: a commit to start from, a place for worktrees, a name for the commits, records
// that git leaves alone, hooks that can run.
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isIdleHook } from "../../adapters/workspace/checkout/husky.ts";
import { pickGitEnv } from "../../adapters/workspace/plumbing/runner.ts";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { findLackingGates } from "../config/gate-tools.ts";
import { projectFile, readProjectConfig } from "../config/project.ts";
import { type Check, reportError, reportOk, reportWarning } from "../host/check.ts";
import { buildGitCommand, isIgnored } from "../host/git-questions.ts";
import { getWorktreeRoot } from "../host/locate.ts";
import { isExecutable } from "../host/programs.ts";
import { ask, describeMissingAnswer, getStdout, type ProgramAnswer } from "./ask.ts";
import { proposeGates } from "./first-screen.ts";

export async function checkRepository(repo: string): Promise<Check[]> {
  const head = await askGit(repo, "rev-parse", "--short", "--verify", "HEAD");
  const first = checkHead(repo, head);
  if (isForeign(head)) return [first];
  const others = [
    checkIdentity(repo),
    checkWorktrees(repo),
    checkIgnored(repo),
    checkHooks(repo),
    checkFilters(repo),
    checkGates(repo),
  ];
  return [first, ...(await Promise.all(others))];
}

const askGit = (repo: string, ...args: string[]): Promise<ProgramAnswer> =>
  ask(buildGitCommand(repo, ...args), { env: pickGitEnv(process.env) });

/** git answers nothing at all in a repository that belongs to somebody else. */
const isForeign = (answer: ProgramAnswer): boolean =>
  describeMissingAnswer(answer).includes("dubious ownership");

function checkHead(repo: string, head: ProgramAnswer): Check {
  const name = "repository";
  const commit = getStdout(head)?.trim();
  if (commit) return reportOk(name, `${repo} at ${commit}`);
  const where = quoteShellWord(repo);
  if (isForeign(head)) {
    const says = `${repo} belongs to another user, so git refuses to work in it`;
    return reportError(name, says, `git config --global --add safe.directory ${where}`);
  }
  const says = "there is no commit yet to start a bubble from";
  return reportError(name, says, `git -C ${where} commit --allow-empty -m "First commit"`);
}

/** A bubble's commit needs an author; without one it is made in Pairflow's name, which few people want. */
async function checkIdentity(repo: string): Promise<Check> {
  const name = "identity";
  const read = async (key: string) => getStdout(await askGit(repo, "config", key))?.trim();
  const [user, email] = await Promise.all([read("user.name"), read("user.email")]);
  if (user && email) return reportOk(name, `${user} <${email}>`);
  return reportWarning(
    name,
    `git knows no ${user ? "address" : "name"} of yours; commits would be made by Pairflow`,
    'git config --global user.name "Your Name" && git config --global user.email you@example.com',
  );
}

/** Nothing is made for this: git must be able to list its worktrees, and both places must be writable. */
async function checkWorktrees(repo: string): Promise<Check> {
  const name = "worktrees";
  const root = getWorktreeRoot(repo);
  const listed = await askGit(repo, "worktree", "list", "--porcelain");
  if (getStdout(listed) === undefined) {
    const says = `git cannot list worktrees: ${describeMissingAnswer(listed)}`;
    return reportError(name, says, `git -C ${quoteShellWord(repo)} worktree prune --verbose`);
  }
  const closed = [join(repo, ".git"), findNearestExisting(root)].find((folder) => !isWritable(folder));
  if (!closed) return reportOk(name, `${root} can hold them`);
  return reportError(
    name,
    `you may not write ${closed}, where bubbles get their worktrees`,
    `sudo chown -R "$(id -un)" ${quoteShellWord(closed)}`,
  );
}

function findNearestExisting(folder: string): string {
  return existsSync(folder) ? folder : findNearestExisting(dirname(folder));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function checkIgnored(repo: string): Promise<Check> {
  const name = "ignored";
  const ignored = await isIgnored(repo, ".pairflow/bubbles/x");
  if (ignored) return reportOk(name, "git ignores the records in .pairflow");
  return reportError(name, "git does not ignore .pairflow, so records would be committed", "pairflow init");
}

/** git skips a hook that is not executable with no more than a hint, and people believe it runs. */
/** The gates that a bubble of this repository would be offered, and whether their tools are here. */
async function checkGates(repo: string): Promise<Check> {
  const name = "gates";
  const { gates, setup } = (await proposeGates(repo)) ?? { gates: [], setup: undefined };
  if (gates.length === 0) return reportOk(name, "none found; say --test <command> at create");
  const lacking = findLackingGates(gates, process.env.PATH, setup);
  const [first] = lacking;
  if (!first) return reportOk(name, gates.map((gate) => gate.name).join(", "));
  const says = lacking.map(({ gate, says: why }) => `${gate.name}: ${why.split(". ")[0]}`).join("; ");
  return reportWarning(name, says, first.says.split(". ").slice(1).join(". "));
}

async function checkFilters(repo: string): Promise<Check> {
  const name = "git filters";
  const pattern = ["grep", "-hoE", "filter=[A-Za-z0-9_-]+", "HEAD", "--", ":(glob)**/.gitattributes"];
  const found = getStdout(await askGit(repo, ...pattern)) ?? "";
  const asked = [
    ...new Set(
      found
        .split("\n")
        .filter(Boolean)
        .map((text) => text.slice("filter=".length)),
    ),
  ];
  const allowed = await readAllowedFilters(repo);
  const others = asked.filter((filter) => !allowed.includes(filter)).sort();
  if (others.length === 0) return reportOk(name, asked.length > 0 ? asked.join(", ") : "none");
  const says = `files with filter=${others.join(", filter=")} stay as git has them in bubbles; no filter runs unless it is allowed`;
  const fix = `In ${projectFile}, for every new bubble: defaults: { git_filters: [${others.join(", ")}] }`;
  return reportWarning(name, says, fix);
}

/** What the project's settings allow; a file that cannot be read has its own check. */
async function readAllowedFilters(repo: string): Promise<readonly string[]> {
  try {
    const { defaults } = await readProjectConfig(async (path) => readFileSync(join(repo, path), "utf8"));
    return Array.isArray(defaults.git_filters) ? defaults.git_filters : [];
  } catch {
    return [];
  }
}

async function checkHooks(repo: string): Promise<Check> {
  const name = "git hooks";
  // Our own settings would name a folder without hooks; this question starts no program.
  const argv = ["git", "-C", repo, "rev-parse", "--git-path", "hooks"];
  const path = getStdout(await ask(argv, { env: pickGitEnv(process.env) }))?.trim() ?? ".git/hooks";
  const folder = resolve(repo, path);
  const hooks = listHooks(folder).filter((hook) => !isIdleHook(folder, hook));
  const dead = hooks.filter((hook) => !isExecutable(join(folder, hook)));
  if (dead.length > 0) {
    const files = dead.map((hook) => quoteShellWord(join(folder, hook))).join(" ");
    const says = `git skips ${dead.join(" and ")}: not executable`;
    return reportWarning(name, says, `chmod +x ${files}`);
  }
  const says = hooks.length > 0 ? `${hooks.join(", ")}; ${describeHooks(hooks)}` : "none";
  return reportOk(name, says);
}

function describeHooks(hooks: readonly string[]): string {
  const gates = hooks.filter((hook) => hook === "pre-commit" || hook === "commit-msg");
  const form = gates.length === 1 ? "runs as a gate" : "run as gates";
  const runs = gates.length > 0 ? `${gates.join(" and ")} ${form} before approval, ` : "";
  return `${runs}a bubble's own commit runs none of them`;
}

const hookNames =
  /^(applypatch-msg|pre-applypatch|post-applypatch|pre-commit|pre-merge-commit|prepare-commit-msg|commit-msg|post-commit|pre-rebase|post-checkout|post-merge|pre-push|post-rewrite|reference-transaction)$/;

function listHooks(folder: string): string[] {
  return tryOr(() => readdirSync(folder).filter((file) => hookNames.test(file)), []);
}
