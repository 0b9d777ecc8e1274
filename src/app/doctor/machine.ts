// The tools of this machine that Pairflow itself is made of: Node, git and, for panes, tmux.
import { rmSync } from "node:fs";
import { basename } from "node:path";
import { gitEnv } from "../../adapters/workspace/runner.ts";
import { type Check, shellWord, versionCheck } from "../host/check.ts";
import { installLine } from "../host/programs.ts";
import { tmuxSocket } from "../host/repository-names.ts";
import { type Answer, ask, complaintOf, wordsOf } from "./ask.ts";

export function nodeCheck(version: string): Check {
  return versionCheck("node", version, [20, 19], "nvm install --lts");
}

export async function gitCheck(): Promise<Check> {
  const answer = await ask(["git", "--version"], { env: gitEnv(process.env) });
  const check = versionCheck("git", wordsOf(answer) ?? "", [2, 38], installLine("git"));
  return wordsOf(answer) === undefined ? { ...check, says: absence(answer) } : check;
}

/** Only panes need tmux, so whatever is wrong with it stops nobody. */
export async function tmuxCheck(repo: string | undefined): Promise<Check> {
  const answer = await ask(["tmux", "-V"]);
  const version = versionCheck("tmux", wordsOf(answer) ?? "", [3, 2], installLine("tmux"));
  if (version.status !== "ok") {
    const says = wordsOf(answer) === undefined ? absence(answer) : version.says;
    return { ...version, status: "warning", says: `${says}; without it: pairflow bubble start --headless` };
  }
  const socket = `pairflow-doctor-${process.pid}`;
  const hindrance =
    (await serverTrouble(socket)) ?? (repo ? await socketTrouble(tmuxSocket(repo)) : undefined);
  return hindrance ? { name: "tmux", status: "warning", ...hindrance } : version;
}

function absence(answer: Answer): string {
  return "silent" in answer && answer.silent === "missing"
    ? "not installed, or not on the PATH"
    : complaintOf(answer);
}

const tmux = (socket: string, ...words: string[]) =>
  ask(["tmux", "-u", "-L", socket, "-f", "/dev/null", ...words]);

/** Starts a server of its own with one pane, asks it where it listens, and ends it. */
async function serverTrouble(socket: string): Promise<{ says: string; fix: string } | undefined> {
  const opened = ["new-session", "-d", "-s", "doctor", "-x", "80", "-y", "24", "sleep 20"];
  const asked = ["display-message", "-p", "-t", "=doctor:", "#{socket_path}"];
  const answer = await tmux(socket, ...opened, ";", ...asked, ";", "kill-server");
  const path = wordsOf(answer)?.trim() ?? "";
  if (basename(path) === socket) {
    // tmux leaves the file behind.
    rmSync(path, { force: true });
    return undefined;
  }
  await tmux(socket, "kill-server");
  const says = `it cannot open a pane: ${complaintOf(answer)}`;
  return { says, fix: `tmux -L ${socket} -f /dev/null new-session -d true` };
}

/** A server of this repository that cannot be spoken to, for example one of an older tmux. No server is no trouble. */
async function socketTrouble(socket: string): Promise<{ says: string; fix: string } | undefined> {
  const answer = await tmux(socket, "list-sessions");
  if (
    wordsOf(answer) !== undefined ||
    /no server running|No such file|Connection refused|no sessions/.test(complaintOf(answer))
  )
    return undefined;
  const says = `the server with this repository's panes does not answer: ${complaintOf(answer)}`;
  return { says, fix: `tmux -L ${shellWord(socket)} kill-server` };
}
