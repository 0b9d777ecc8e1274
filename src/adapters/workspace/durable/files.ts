// Files and folders of git made durable by ourselves: git syncs neither the folders that get new names nor, before
// version 2.36, anything but packs. Several files are synced at once, so that they share the disk's flushes.
import { lstatSync, readdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../../../ports/failure.ts";
import { getErrorCode, listNames } from "../../disk/files.ts";

const AT_ONCE = 16;
/** What the kernel has kept unwritten is far younger, and no program can set this time back. */
const youngMs = 3_600_000;

/** Runs over all items, some at a time. */
export async function runInParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}

/** Opens a file or folder and syncs it; false when it is not there. Throws Failure `git.not-durable`. */
export async function syncPath(path: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(getErrorCode(error) ?? "")) return false;
    // A folder one may pass through but not list: its names are as durable as its owner made them.
    if (getErrorCode(error) === "EACCES") return true;
    throw toNotDurable(path, error);
  }
  try {
    await file.sync();
  } catch (error) {
    // Some file systems sync no folders; there names are written with the files.
    if (!["EINVAL", "ENOTSUP"].includes(getErrorCode(error) ?? "")) throw toNotDurable(path, error);
  } finally {
    await file.close();
  }
  return true;
}

export async function syncAll(paths: Iterable<string>): Promise<void> {
  await runInParallel([...new Set(paths)], async (path) => {
    await syncPath(path);
  });
}

/** The folder of a path and those above it, up to and with `top`. */
export function listFoldersUpTo(top: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) break;
  }
  return folders;
}

/** Everything below a folder, files first, and the folder itself. */
export async function syncDeep(folder: string): Promise<void> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const paths = entries.map((entry) => ({ path: join(entry.parentPath, entry.name), entry }));
  await syncAll(paths.filter(({ entry }) => entry.isFile()).map(({ path }) => path));
  await syncAll([folder, ...paths.filter(({ entry }) => entry.isDirectory()).map(({ path }) => path)]);
}

/** The files of a folder that were written or named a short while ago. */
export function listYoungFiles(folder: string, now: number): string[] {
  const isYoung = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.ctimeMs > now - youngMs;
  };
  return listNames(folder)
    .map((name) => join(folder, name))
    .filter(isYoung);
}

export function toNotDurable(path: string, cause: unknown): Failure {
  return new Failure(
    "git.not-durable",
    `${path} could not be brought to the disk: ${(cause as Error).message}; nothing was recorded that rests on it`,
    {
      hint: "Look at the disk (df -h for space, dmesg for errors), then repeat the command.",
      cause,
      retryable: true,
    },
  );
}
