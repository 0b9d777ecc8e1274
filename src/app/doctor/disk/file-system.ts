// The file system that holds the repository: a local one, with room on it.
import { readFileSync, statfsSync } from "node:fs";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import { tryOr } from "../../../core/model/value/try-or.ts";
import { type Check, reportError, reportOk } from "../../host/check.ts";
import { checkDiskPromises, watchCheck } from "./promises.ts";

/** File systems on which an append of one machine may overwrite another's. */
const remote =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|afs|ncpfs|lustre|ceph|glusterfs|drvfs|vboxsf|prl_fs|fuse\.(sshfs|rclone|s3fs|glusterfs))$/;

const megabyte = 1024 * 1024;

export async function checkDisk(repo: string): Promise<Check[]> {
  const promises = checkDiskPromises(repo);
  const watched = promises.status === "error" ? [] : [await watchCheck(repo)];
  return [
    checkMount(
      repo,
      tryOr(() => readFileSync("/proc/mounts", "utf8"), undefined),
    ),
    checkSpace(repo, findFreeBytes(repo)),
    promises,
    ...watched,
  ];
}

/** Judges the file system that holds `repo` by the text of /proc/mounts. */
export function checkMount(repo: string, table: string | undefined): Check {
  const name = "disk";
  if (table === undefined) return reportOk(name, "this system does not tell its file systems");
  const type = getFileSystem(repo, table);
  if (!remote.test(type)) return reportOk(name, `${type} is a local file system`);
  return reportError(
    name,
    `${type} is a network file system; two machines could write over one another's lines`,
    `git clone ${quoteShellWord(repo)} ~/${quoteShellWord(repo.split("/").at(-1) ?? "")}`,
  );
}

function getFileSystem(path: string, table: string): string {
  let best = { point: "", type: "unknown" };
  for (const line of table.split("\n")) {
    const [, escaped = "", type = ""] = line.split(" ");
    const point = escaped.replace(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isAround = point === "/" || path === point || path.startsWith(`${point}/`);
    if (point && isAround && point.length >= best.point.length) best = { point, type };
  }
  return best.type;
}

function findFreeBytes(repo: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(repo);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Each bubble is one more checkout, and a full disk ends agents in the middle of their work. */
export function checkSpace(repo: string, free: number | undefined): Check {
  const name = "space";
  if (free === undefined) return reportOk(name, "this system does not tell its free space");
  const room = free / megabyte;
  const says = room < 10_000 ? `${Math.floor(room)} MB are free` : `${Math.floor(room / 1024)} GB are free`;
  if (room >= 1024) return reportOk(name, says);
  const fix = `du -xh -d 2 ${quoteShellWord(repo)} | sort -h | tail`;
  return { name, status: room < 100 ? "error" : "warning", says: `only ${says}`, fix };
}
