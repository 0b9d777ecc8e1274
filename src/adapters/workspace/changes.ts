// What differs between two trees: as a list for rules, as text for readers. Both come from git alone and
// ignore the trees' own .gitattributes, with which an author could declare a text binary and so hide it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "../../core/model/payloads.ts";
import { Failure } from "../../ports/failure.ts";
import { type Dirs, git, type Kit, splitZ } from "./runner.ts";

/** A changed file with git's file modes, which tell submodules from files. */
export interface Change extends ChangedFile {
  readonly oldMode: string;
  readonly newMode: string;
}

export const gitlinkMode = "160000";
const maxDiffBytes = 20 * 1024 * 1024;

/** The changed files, sorted by path as git sorts them; renames are found. */
export async function listChanges(kit: Kit, gitDir: string, from: string, to: string): Promise<Change[]> {
  const args = ["diff-tree", "-r", "-M", "-z", "--raw", "--numstat", "--no-textconv", from, to];
  return parseChanges(await git(kit, noAttributes(kit, gitDir), args));
}

/** Only what the record keeps of a change. */
export function plainChange({ oldMode, newMode, ...file }: Change): ChangedFile {
  return file;
}

/** The change as text. Over 20 MB it is one sentence that says so, since nobody reads that much. */
export async function diffText(kit: Kit, gitDir: string, from: string, to: string): Promise<string> {
  try {
    return await git(kit, noAttributes(kit, gitDir), patchArgs(from, to), { maxBytes: maxDiffBytes });
  } catch (error) {
    if (!(error instanceof Failure && error.code === "process.too-much-output")) throw error;
    return `The difference is larger than 20 MB and is not shown; read it with: git diff ${from} ${to}\n`;
  }
}

/** The change as a patch that `git apply` takes, bytes that are no UTF-8 included. */
export async function patchText(kit: Kit, gitDir: string, from: string, to: string): Promise<string> {
  const dirs = noAttributes(kit, gitDir);
  const patch = await git(kit, dirs, [...patchArgs(from, to), "--binary"]);
  if (!patch.includes("\uFFFD")) return patch;
  // Some text was no UTF-8 and did not survive being read: everything as binary, in plain ASCII.
  const attributes = join(kit.runtimeDir, "all-binary.attributes");
  writeFileSync(attributes, "* -diff\n");
  return git(kit, dirs, ["-c", `core.attributesFile=${attributes}`, ...patchArgs(from, to), "--binary"]);
}

function patchArgs(from: string, to: string): string[] {
  return [
    "diff-tree",
    "-r",
    "-p",
    "-M",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    from,
    to,
  ];
}

/** Beside the trees there is no worktree and no index, hence no attributes. */
function noAttributes(kit: Kit, gitDir: string): Dirs {
  mkdirSync(kit.runtimeDir, { recursive: true, mode: 0o700 });
  return { gitDir, workTree: kit.runtimeDir, index: join(kit.runtimeDir, "no.index") };
}

type Counts = readonly [added: number | null, removed: number | null];
type Next = () => string;

/** Reads `--raw --numstat -z`: first all raw records, then the line counts of the same files. */
export function parseChanges(text: string): Change[] {
  const tokens = splitZ(text);
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
  const [oldMode = "", newMode = "", , , letter = ""] = head.slice(1).split(" ");
  const status = statuses[letter.charAt(0)];
  if (!status) throw new Error(`unknown status in git's raw diff: ${head}`);
  const from = status === "renamed" ? { from: next() } : {};
  return { path: next(), status, ...from, added: null, removed: null, oldMode, newMode };
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
