// Whether the disk keeps the promises the log stands on: a local file system, appends that do not overwrite one
// another, links that exactly one process can make.
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";

/** File systems on which an append of one machine may overwrite another's. */
const remote =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|afs|ncpfs|lustre|ceph|glusterfs|drvfs|vboxsf|prl_fs|fuse\.(sshfs|rclone|s3fs|glusterfs))$/;

export function diskChecks(repo: string): Check[] {
  return [mountCheck(repo, mounts()), probeCheck(repo)];
}

function mounts(): string | undefined {
  try {
    return readFileSync("/proc/mounts", "utf8");
  } catch {
    return undefined;
  }
}

/** Judges the file system that holds `repo` by the text of /proc/mounts. */
export function mountCheck(repo: string, table: string | undefined): Check {
  const name = "disk";
  if (table === undefined) return { name, status: "ok", says: "this system does not tell its file systems" };
  const type = fileSystemOf(repo, table);
  if (!remote.test(type)) return { name, status: "ok", says: `${type} is a local file system` };
  return {
    name,
    status: "error",
    says: `${type} is a network file system; two machines could write over one another's lines`,
    fix: "move the repository to a local disk",
  };
}

function fileSystemOf(path: string, table: string): string {
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

/** Two writers on one file, a sync, a second name for it: everything is taken away again. */
function probeCheck(repo: string): Check {
  const name = "record";
  const folder = join(repo, ".pairflow", "runtime");
  if (!existsSync(join(repo, ".pairflow"))) {
    return { name, status: "error", says: "there is no .pairflow folder yet", fix: "pairflow init" };
  }
  const path = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const text = appendTwice(path);
    linkSync(path, `${path}-link`);
    if (text === "onetwothree")
      return { name, status: "ok", says: "appending, syncing and linking work in .pairflow" };
    return {
      name,
      status: "error",
      says: "appends overwrite one another on this disk",
      fix: "move the repository to another disk",
    };
  } catch (error) {
    return {
      name,
      status: "error",
      says: `.pairflow cannot be written: ${(error as Error).message}`,
      fix: `ls -ld ${folder}`,
    };
  } finally {
    for (const file of [path, `${path}-link`]) rmSync(file, { force: true });
  }
}

function appendTwice(path: string): string {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const [one, two] = [openSync(path, flags), openSync(path, flags)];
  try {
    writeSync(one, "one");
    writeSync(two, "two");
    writeSync(one, "three");
    fsyncSync(one);
    return readFileSync(path, "utf8");
  } finally {
    closeSync(one);
    closeSync(two);
  }
}
