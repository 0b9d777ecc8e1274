// A record that came with the repository is not trusted: the person who wrote it could write any history.
import { refuse } from "../../core/model/refusal.ts";
import { askGit } from "../host/git-questions.ts";

/** The bubbles whose records git tracks. */
export async function listTrackedRecords(repo: string, bubble?: string): Promise<string[]> {
  const folder = ".pairflow/bubbles";
  const listed = await askGit(repo, "ls-files", "-z", "--", bubble ? `${folder}/${bubble}` : folder);
  const ids = (listed ?? "").split("\0").map((path) => path.split("/")[2] ?? "");
  return [...new Set(ids)].filter(Boolean);
}

/** Throws a refusal for a bubble whose record git tracks. */
export async function refuseTracked(repo: string, bubble: string): Promise<void> {
  if ((await listTrackedRecords(repo, bubble)).length === 0) return;
  throw refuse(
    "record.tracked",
    `the record of ${bubble} came with the repository; it does not count here`,
    `git rm -r -q .pairflow/bubbles/${bubble}   removes it; pairflow bubble create makes one of your own`,
  );
}
