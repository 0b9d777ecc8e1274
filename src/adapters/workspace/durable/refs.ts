// Refs made durable: the files git wrote, the reflog if there is one, and every folder that may have got a new name.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "../../disk/files.ts";
import { getCommonDir } from "../plumbing/private-git.ts";
import { listFoldersUpTo, syncAll, syncPath } from "./files.ts";

/** Makes refs that were just written durable, however this repository keeps them. */
export async function syncRefs(gitDir: string, refs: readonly string[]): Promise<void> {
  const common = getCommonDir(gitDir);
  const files = refs.map((ref) => join(common, ref));
  const logs = refs.map((ref) => join(common, "logs", ref)).filter((log) => existsSync(log));
  const areLoose = await Promise.all(files.map(syncPath));
  const elsewhere = areLoose.includes(false) ? [join(common, "packed-refs"), ...listTables(common)] : [];
  await syncAll([...logs, ...elsewhere]);
  await syncAll([
    ...files.flatMap((file) => listFoldersUpTo(join(common, "refs"), file)),
    ...logs.flatMap((log) => listFoldersUpTo(join(common, "logs"), log)),
    common,
  ]);
}

/** The files of git's other way to keep refs, and their folder. */
function listTables(common: string): string[] {
  const folder = join(common, "reftable");
  return existsSync(folder) ? [...listNames(folder).map((name) => join(folder, name)), folder] : [];
}
