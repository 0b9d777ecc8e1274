// The door that this process came through, looked up in the kernel's own tables: what a caller says of itself is not asked.
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import type { Door } from "../../core/model/door.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { checkSession, type Session } from "../../core/permission/door.ts";
import { tryRun } from "../host/git-questions.ts";
import { isProcessMarked } from "./guard.ts";

/** Who speaks, for words that grant nothing. */
export function describeSpeaker(): Door {
  return { user: tryOr(() => userInfo().username, String(process.getuid?.() ?? "unknown")) };
}

/** All that is known about a terminal that grants something. */
export async function describeTerminalDoor(terminal: string): Promise<Door> {
  const session = await findSession(process.pid);
  const unproven = checkSession(session);
  return {
    ...describeSpeaker(),
    terminal,
    ...(session ? { leader: session.leader, ancestors: [...session.ancestors] } : {}),
    ...(unproven === undefined ? {} : { unproven }),
  };
}

interface Kernel {
  readonly pid: number;
  readonly program: string;
  readonly parent: number;
  readonly session: number;
  readonly startedAt: string;
}

async function findSession(pid: number): Promise<Session | undefined> {
  const leader = readProcess(readProcess(pid)?.session ?? 0);
  if (!leader) return undefined;
  const above = listAncestors(leader);
  const server = above.find(({ program }) => program.startsWith("tmux: server"));
  return {
    leader: { pid: leader.pid, program: leader.program, started_at: leader.startedAt },
    ancestors: above.map(({ pid, program }) => ({ pid, program })),
    isMarked: [leader, ...above].some(({ pid }) => isProcessMarked(pid)),
    ...(server ? { clients: await listClients(server.pid) } : {}),
  };
}

const deepest = 32;

function listAncestors(from: Kernel): Kernel[] {
  const found: Kernel[] = [];
  for (let pid = from.parent; pid > 0 && found.length < deepest; ) {
    const parent = readProcess(pid);
    if (!parent) break;
    found.push(parent);
    pid = parent.parent;
  }
  return found;
}

/** What stands above each client of the tmux server in whose pane this process runs. */
async function listClients(server: number): Promise<string[][]> {
  const [socket, pid] = process.env.TMUX?.split(",") ?? [];
  if (!socket || Number(pid) !== server) return [];
  const listed = await tryRun(["tmux", "-S", socket, "list-clients", "-F", "#{client_pid}"]);
  const pids = (listed?.stdout ?? "").split("\n").map(Number);
  return pids.flatMap((client) => {
    const found = readProcess(client);
    return found?.program.startsWith("tmux: client")
      ? [listAncestors(found).map(({ program }) => program)]
      : [];
  });
}

/** A process by its number, from the kernel; undefined where it tells nothing. */
function readProcess(pid: number): Kernel | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const program = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent = 0, session = 0, ticks = 0] = [fields[1], fields[3], fields[19]].map(Number);
    return { pid, program, parent, session, startedAt: readStartTime(ticks) };
  } catch {
    return undefined;
  }
}

/** Kernel times are in hundredths of a second since the machine started, on every Linux. */
function readStartTime(ticks: number): string {
  const boot = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1] ?? 0);
  return new Date(boot * 1000 + ticks * 10).toISOString();
}
