// The tools of this machine that Pairflow itself is made of: Node, git and, for panes, tmux.
import { rmSync } from "node:fs";
import { basename } from "node:path";
import { pickGitEnv } from "../../adapters/workspace/plumbing/runner.ts";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { type Check, checkVersion } from "../host/check.ts";
import { installLine } from "../host/programs.ts";
import { getTmuxSocket } from "../host/repositories/names.ts";
import { ask, describeMissingAnswer, getStdout, type ProgramAnswer } from "./ask.ts";

export function checkNode(version: string): Check {
  return checkVersion("node", version, [20, 19], "nvm install --lts");
}

export async function checkGit(): Promise<Check> {
  const answer = await ask(["git", "--version"], { env: pickGitEnv(process.env) });
  const check = checkVersion("git", getStdout(answer) ?? "", [2, 38], installLine("git"));
  return getStdout(answer) === undefined ? { ...check, says: describeAbsence(answer) } : check;
}

/** Only panes need tmux, so whatever is wrong with it stops nobody. */
export async function checkTmux(repo: string | undefined): Promise<Check> {
  const answer = await ask(["tmux", "-V"]);
  const version = checkVersion("tmux", getStdout(answer) ?? "", [3, 2], installLine("tmux"));
  if (version.status !== "ok") {
    const says = getStdout(answer) === undefined ? describeAbsence(answer) : version.says;
    return { ...version, status: "warning", says: `${says}; without it: pairflow bubble start --headless` };
  }
  const socket = `pairflow-doctor-${process.pid}`;
  const hindrance =
    (await findServerTrouble(socket)) ?? (repo ? await findSocketTrouble(getTmuxSocket(repo)) : undefined);
  return hindrance ? { name: "tmux", status: "warning", ...hindrance } : version;
}

function describeAbsence(answer: ProgramAnswer): string {
  return "silent" in answer && answer.silent === "missing"
    ? "not installed, or not on the PATH"
    : describeMissingAnswer(answer);
}

const askTmux = (socket: string, ...words: string[]) =>
  ask(["tmux", "-u", "-L", socket, "-f", "/dev/null", ...words]);

/** Starts a server of its own with one pane, asks it where it listens, and ends it. */
async function findServerTrouble(socket: string): Promise<{ says: string; fix: string } | undefined> {
  const opened = ["new-session", "-d", "-s", "doctor", "-x", "80", "-y", "24", "sleep 20"];
  const asked = ["display-message", "-p", "-t", "=doctor:", "#{socket_path}"];
  const answer = await askTmux(socket, ...opened, ";", ...asked, ";", "kill-server");
  const path = getStdout(answer)?.trim() ?? "";
  if (basename(path) === socket) {
    // tmux leaves the file behind.
    rmSync(path, { force: true });
    return undefined;
  }
  await askTmux(socket, "kill-server");
  const says = `it cannot open a pane: ${describeMissingAnswer(answer)}`;
  return { says, fix: `tmux -L ${socket} -f /dev/null new-session -d true` };
}

/** A server of this repository that cannot be spoken to, for example one of an older tmux. No server is no trouble. */
async function findSocketTrouble(socket: string): Promise<{ says: string; fix: string } | undefined> {
  const answer = await askTmux(socket, "list-sessions");
  if (
    getStdout(answer) !== undefined ||
    /no server running|No such file|Connection refused|no sessions/.test(describeMissingAnswer(answer))
  )
    return undefined;
  const says = `the server with this repository's panes does not answer: ${describeMissingAnswer(answer)}`;
  return { says, fix: `tmux -L ${quoteShellWord(socket)} kill-server` };
}
