// Whose process is at the other end of a connection on this machine, by the kernel's own tables: what a request says of itself
// is not asked. Linux only; elsewhere nothing is known.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tryOr } from "../../core/model/value/try-or.ts";
import { isAncestorInTurn } from "./guard.ts";

/** The process that has opened the connection from `peerPort` to `ownPort`; undefined when the kernel does not tell. */
export function findProcessAtPort(peerPort: number, ownPort: number): number | undefined {
  const inode = findSocketInode((local, remote) => local === peerPort && remote === ownPort);
  return inode === undefined ? undefined : findHolder(inode);
}

/** The process that listens at a port of this machine. */
export function findListener(port: number): number | undefined {
  const inode = findSocketInode((local, remote) => local === port && remote === 0);
  return inode === undefined ? undefined : findHolder(inode);
}

/** Whether a process descends from an agent's turn, or runs what one wrote. */
export const isInTurn = (pid: number): boolean => isAncestorInTurn(pid);

/** A row of the table: `sl local:port remote:port state … inode`, in hexadecimal numbers. */
function findSocketInode(isWanted: (local: number, remote: number) => boolean): string | undefined {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const row of tryOr(() => readFileSync(table, "latin1").split("\n").filter(Boolean), []).slice(1)) {
      const [, local = "", remote = "", , , , , , , inode] = row.trim().split(/\s+/);
      if (isWanted(getPort(local), getPort(remote)) && inode !== "0") return inode;
    }
  }
  return undefined;
}

const getPort = (address: string): number => Number.parseInt(address.split(":")[1] ?? "", 16);

/** Processes of other users cannot be looked into, and are none of ours. */
function findHolder(inode: string): number | undefined {
  const wanted = `socket:[${inode}]`;
  const pids = listFolder("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .find((pid) =>
      listFolder(`/proc/${pid}/fd`).some(
        (fd) => tryOr(() => readlinkSync(`/proc/${pid}/fd/${fd}`), undefined) === wanted,
      ),
    );
}

function listFolder(folder: string): string[] {
  return tryOr(() => readdirSync(folder), []);
}
