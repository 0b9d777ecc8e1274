// An agent cannot approve itself: operator verbs are refused inside an agent's process tree, and verbs that grant
// something need a person's terminal or a key that speaks for one.

import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../adapters/clock/node.ts";
import type { Via } from "../core/model/payloads.ts";
import { refuse } from "../core/model/refusal.ts";
import { isDriverMarker } from "../engine/world.ts";

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
  return Boolean(env.PAIRFLOW_TURN) || worksForAgents(env.PAIRFLOW_WORK) || ancestorInTurn(process.ppid);
}

/** Turns and gates run what agents wrote; a background driver carries a marker too, but is the operator's own. */
function worksForAgents(marker: string | undefined): boolean {
  return marker !== undefined && marker !== "" && !isDriverMarker(marker);
}

/** Whether any ancestor carries the marker of a turn, even if this process's own environment was cleaned. */
function ancestorInTurn(from: number): boolean {
  for (let pid = from, depth = 0; pid > 1 && depth < 64; depth++) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, "latin1").includes("PAIRFLOW_TURN=")) return true;
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    } catch {
      return false;
    }
  }
  return false;
}

/** The door a granting verb came through. Throws a refusal when there is none. */
export function grantingDoor(repo: string, keyFile: string | undefined, agentTtys: readonly string[]): Via {
  if (keyFile) {
    if (!knownKey(repo, keyFile))
      throw refuse(
        "operator.unknown-key",
        `${keyFile} is not an operator key of this repository`,
        `pairflow init --operator-key ${keyFile}`,
      );
    return "operator-key";
  }
  const tty = controllingTerminal();
  if (!tty)
    throw refuse(
      "operator.no-terminal",
      "this grants something and needs a person at a terminal",
      "run it in a terminal, or add --operator-key <file> (pairflow init --operator-key <file> makes one)",
    );
  if (agentTtys.includes(tty))
    throw refuse(
      "operator.agent-terminal",
      `${tty} is an agent's pane; an agent cannot grant this`,
      "use a terminal of your own",
    );
  return "terminal";
}

function controllingTerminal(): string | undefined {
  try {
    closeSync(openSync("/dev/tty", "r"));
  } catch {
    return undefined;
  }
  return pseudoTerminal() ?? "/dev/tty";
}

/** The terminal the kernel knows for this process, by its device number: what stdin and stdout point at can be chosen. */
function pseudoTerminal(): string | undefined {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const device = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[4]);
    const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
    const isPseudo = major >= 136 && major <= 143;
    return isPseudo ? `/dev/pts/${(major - 136) * 256 + minor}` : undefined;
  } catch {
    // Not on this system: the terminal exists all the same.
    return undefined;
  }
}

/** Hashes of the keys `pairflow init --operator-key` made; one a line. */
export const keyListPath = (repo: string): string => join(repo, ".pairflow", "runtime", "operator-keys");

export function keyHash(key: string): string {
  return nodeHash.sha256(key.trim());
}

function knownKey(repo: string, keyFile: string): boolean {
  try {
    const hash = keyHash(readFileSync(keyFile, "utf8"));
    return readFileSync(keyListPath(repo), "utf8").split("\n").includes(hash);
  } catch {
    return false;
  }
}
