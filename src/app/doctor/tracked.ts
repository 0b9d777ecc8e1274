// Records that git tracks: they came with the repository, or go out with the next push.

import { type Check, shellWord } from "../host/check.ts";
import { trackedRecords } from "../trust/tracked.ts";

export async function trackedChecks(repo: string): Promise<Check[]> {
  const ids = await trackedRecords(repo);
  return ids.map((id) => ({
    name: "record",
    status: "warning",
    says: `git tracks the record of ${id}: it came with the repository and does not count`,
    fix: `git -C ${shellWord(repo)} rm -r -q .pairflow/bubbles/${id}`,
  }));
}
