// What a bubble may have left on the machine: processes that carry its repository's marker, and locks in git.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { computeRepoTag } from "../../src/app/host/repositories/names.ts";
import type { Rig } from "../acceptance/rig.ts";

export interface Marked {
  readonly pid: number;
  /** What it works for: `<bubble>/<turn>.<attempt>`, `<bubble>/gate-<name>.1` or `-driver/<bubble>`. */
  readonly work: string;
}

/** Every living process of the rig's repository; zombies hold nothing and do not count. */
export function processesOf({ repo }: Pick<Rig, "repo">): Marked[] {
  const start = `PAIRFLOW_WORK=${computeRepoTag(repo)}/`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const marker = environmentOf(pid).find((entry) => entry.startsWith(start));
      return marker && !isZombie(pid) ? [{ pid: Number(pid), work: marker.slice(start.length) }] : [];
    });
}

/** What is left of it once everything had a moment to end by itself. */
export async function leftProcesses(tool: Pick<Rig, "repo">, limitMs = 3000): Promise<Marked[]> {
  for (const end = Date.now() + limitMs; ; await sleep(50)) {
    const left = processesOf(tool);
    if (left.length === 0 || Date.now() > end) return left;
  }
}

/** Lock files anywhere in the repository's git folder. */
export function gitLocks({ repo }: Pick<Rig, "repo">): string[] {
  const names = readdirSync(join(repo, ".git"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".lock") || /^worktrees\/[^/]+\/locked$/.test(name));
}

function environmentOf(pid: string): string[] {
  return quietly(() => readFileSync(`/proc/${pid}/environ`, "latin1")).split("\0");
}

function isZombie(pid: string): boolean {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  return stat === "" || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** A process may end while it is looked at. */
function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
