// Waiting for a bubble without asking for it all the time: each `bubble status` is a process of its own, and the ones
// that see nothing new take the processor away from the bubble they wait for.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Something that no file shows, such as the end of a process, is seen this much later at most. */
const patienceMs = 400;

/** When the record and what runs in the repository were last changed, as text to be compared. */
export function recordStamp(repo: string, id: string): string {
  const top = join(repo, ".pairflow");
  const files = ["transcript.ndjson", "state.json"].map((name) => join(top, "bubbles", id, name));
  const folders = ["runtime", "locks"].flatMap((name) => [join(top, name), ...entriesOf(join(top, name))]);
  return [...files, ...folders].map(stampOf).join(" ");
}

/** Waits until the stamp is another one, or for as long as one can do without a look. */
export async function recordChange(repo: string, id: string, before: string): Promise<void> {
  const end = Date.now() + patienceMs;
  do await sleep(20);
  while (Date.now() < end && recordStamp(repo, id) === before);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs}:${found.size}` : "-";
}
