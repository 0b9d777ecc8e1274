// An agent cannot approve itself: operator verbs are refused inside an agent's process tree, and verbs that grant
// something need a person's terminal or a key that speaks for one.
import { closeSync, openSync, readFileSync } from "node:fs";
import { nodeHash } from "../../adapters/clock/node.ts";
import type { Via } from "../../core/model/record/payloads/parts.ts";
import { refuse } from "../../core/model/refusal.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { isDriverMarker } from "../../engine/front/world.ts";
import { getUserFile } from "../host/user-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Throws a refusal when this process descends from an agent's turn. A courtesy, not a wall: the sandbox is the wall. */
export function refuseAgents(env: Env, verb: string): void {
  if (!isAgent(env)) return;
  throw refuse(
    "operator.inside-agent",
    `${verb} is an operator's command; an agent cannot use it`,
    'pairflow ask-human --question "…"',
  );
}

/** Does this process descend from an agent's turn, or run what one wrote? */
export function isAgent(env: Env): boolean {
  return Boolean(env.PAIRFLOW_TURN) || isAgentMarker(env.PAIRFLOW_WORK) || isAncestorInTurn(process.ppid);
}

/** Turns and gates run what agents wrote; a background driver carries a marker too, but is the operator's own. */
function isAgentMarker(marker: string | undefined): boolean {
  return marker !== undefined && marker !== "" && !isDriverMarker(marker);
}

/** Whether any ancestor carries the marker of a turn, even if this process's own environment was cleaned. */
export function isAncestorInTurn(from: number): boolean {
  for (let pid = from, depth = 0; pid > 1 && depth < 64; depth++) {
    try {
      if (isProcessMarked(pid)) return true;
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      return false;
    }
  }
  return false;
}

/** Was this process started with the marker of a turn? What belongs to another user cannot be read, and was not. */
export function isProcessMarked(pid: number): boolean {
  return tryOr(() => readFileSync(`/proc/${pid}/environ`, "latin1").includes("PAIRFLOW_TURN="), false);
}

/** Where an agent's process was put: what the record knows of a turn's terminal. */
interface TurnPlace {
  readonly pid?: number;
  readonly tty?: string;
}

/** The door a granting verb came through. Throws a refusal when there is none. `turns`: those whose agents may still live. */
export function requireGrantingDoor(
  repo: string,
  keyFile: string | undefined,
  turns: readonly (TurnPlace | undefined)[],
): { readonly via: Via; readonly terminal?: string } {
  if (keyFile) {
    if (!isKnownKey(repo, keyFile))
      throw refuse(
        "operator.unknown-key",
        `${keyFile} is not an operator key of this repository`,
        `pairflow init --operator-key ${keyFile}`,
      );
    return { via: "operator-key" };
  }
  return { via: "terminal", terminal: requireControllingDoor(turns) };
}

/** A person's own terminal. Throws a refusal when there is none, or when it is an agent's. */
export function requireControllingDoor(turns: readonly (TurnPlace | undefined)[]): string {
  const tty = findControllingTerminal();
  if (!tty)
    throw refuse(
      "operator.no-terminal",
      "this grants something and needs a person at a terminal",
      "run it in a terminal, or add --operator-key <file> (pairflow init --operator-key <file> makes one)",
    );
  if (turns.some((turn) => turn?.tty === tty && hasTerminal(turn)))
    throw refuse(
      "operator.agent-terminal",
      `${tty} is an agent's pane; an agent cannot grant this`,
      "use a terminal of your own",
    );
  return tty;
}

/**
 * Whether the turn's process still has that terminal. The kernel gives the name of a closed one to the next that is opened,
 * which may be a person's. What the process says of itself is not asked: its environment can be emptied.
 */
function hasTerminal({ pid, tty }: TurnPlace): boolean {
  return pid !== undefined && findPseudoTerminal(pid) === tty;
}

function findControllingTerminal(): string | undefined {
  try {
    closeSync(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
  return findPseudoTerminal("self") ?? "/dev/tty";
}

/** The terminal the kernel knows for a process, by its device number: what stdin and stdout point at can be chosen. */
function findPseudoTerminal(pid: number | "self"): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const device = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[4]);
    const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
    const isPseudo = major >= 136 && major <= 143;
    return isPseudo ? `/dev/pts/${(major - 136) * 256 + minor}` : undefined;
  } catch {
    // Gone, or not on this system: where there is no such table the terminal exists all the same.
    return undefined;
  }
}

/** Hashes of the keys `pairflow init --operator-key` made, one a line; in the user's folder, where no repository can bring one. */
export const getKeyListPath = (repo: string, env: Env = process.env): string =>
  getUserFile("operator-keys", repo, env);

export function hashKey(key: string): string {
  return nodeHash.sha256(key.trim());
}

function isKnownKey(repo: string, keyFile: string): boolean {
  try {
    const hash = hashKey(readFileSync(keyFile, "utf8"));
    return readFileSync(getKeyListPath(repo), "utf8").split("\n").includes(hash);
  } catch {
    return false;
  }
}
