// Reads git's list of what differs between two trees: `--raw --numstat -z --full-index`, first all raw records, then the line
// counts of the same files.
import type { ChangedFile } from "../../model/record/payloads/parts.ts";

/** A changed file with git's file modes, which tell submodules and links from files, and the ids of its bytes. */
export interface Change extends ChangedFile {
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

type Counts = readonly [added: number | null, removed: number | null];
type Next = () => string;

/** The changed files, in git's order. */
export function parseChanges(text: string): Change[] {
  const tokens = text.split("\0").slice(0, -1);
  const changes: Change[] = [];
  const counts = new Map<string, Counts>();
  let at = 0;
  const next = () => tokens[at++] ?? "";
  while (at < tokens.length) {
    const head = next();
    if (head.startsWith(":")) changes.push(readRaw(head, next));
    else counts.set(...readCounts(head, next));
  }
  return changes.map((change) => {
    const [added, removed] = counts.get(change.path) ?? [null, null];
    return { ...change, added, removed };
  });
}

const statuses: Record<string, ChangedFile["status"]> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  T: "type-changed",
};

function readRaw(head: string, next: Next): Change {
  const [oldMode = "", newMode = "", oldId = "", newId = "", letter = ""] = head.slice(1).split(" ");
  const status = statuses[letter.charAt(0)];
  if (!status) throw new Error(`unknown status in git's raw diff: ${head}`);
  const from = status === "renamed" ? { from: next() } : {};
  return { path: next(), status, ...from, added: null, removed: null, oldMode, newMode, oldId, newId };
}

/** `added TAB removed TAB path`, or an empty path followed by the old and the new one; `-` for binary files. */
function readCounts(head: string, next: Next): [path: string, Counts] {
  const [added = "-", removed = "-", ...rest] = head.split("\t");
  let path = rest.join("\t");
  if (path === "") {
    next();
    path = next();
  }
  const count = (text: string) => (text === "-" ? null : Number(text));
  return [path, [count(added), count(removed)]];
}
