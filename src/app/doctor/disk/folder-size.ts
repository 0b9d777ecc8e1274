// How much of the disk a folder holds.
import { tryRun } from "../../host/git-questions.ts";

/** In kilobytes; 0 where there is nothing, or nobody can say. */
export async function readFolderSize(path: string): Promise<number> {
  const counted = await tryRun(["du", "-sk", "--", path]);
  return Number.parseInt(counted?.stdout ?? "", 10) || 0;
}
