// Records that git tracks: they came with the repository, or go out with the next push.
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { type Check, reportWarning } from "../host/check.ts";
import { listTrackedRecords } from "../trust/tracked.ts";

export async function checkTracked(repo: string): Promise<Check[]> {
  const ids = await listTrackedRecords(repo);
  return ids.map((id) =>
    reportWarning(
      "record",
      `git tracks the record of ${id}: it came with the repository and does not count`,
      `git -C ${quoteShellWord(repo)} rm -r -q .pairflow/bubbles/${id}`,
    ),
  );
}
