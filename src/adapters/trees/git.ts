// Files of pinned trees, from git's object store. Small, since every verb of an agent loads it.
import { Failure } from "../../ports/failure.ts";
import type { FileText, TreeHome, Trees, WantedFile } from "../../ports/record/trees.ts";
import type { Processes } from "../../ports/system/process.ts";
import { readAtOnce } from "./batch.ts";
import { createGit, type Git, getTreeRoot, isId } from "./run.ts";
import { buildText, isPlainFile, maxBytes } from "./text.ts";

type Wanted = readonly WantedFile[];

/** What a tree has at a path. */
interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly size: number;
}

/** In characters. */
const mostRemembered = 4 * 1024 * 1024;
/** How many paths, and how long ones, a command line holds whatever they are. */
const batch = 100;
const longestPath = 4096;
// Loaded when needed: most verbs of an agent get by without.
const loadCrypto = () => process.getBuiltinModule("node:crypto");
const other: FileText = { kind: "other" };
const absent: FileText = { kind: "absent" };

/** Reads files as they stand in pinned trees. One call of git, however many trees and files are asked for at once. */
export function createGitTrees(settings: {
  readonly processes: Pick<Processes, "exec">;
  /** Where PATH, HOME and XDG_CONFIG_HOME come from; the caller's own environment when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The repository on this machine; the recorded one when left out. */
  readonly repo?: string;
}): Trees {
  const { processes, env = process.env, repo } = settings;
  const gitAt = (home: TreeHome) => createGit(getTreeRoot(home, repo), processes, env);
  const remember = createMemory();
  return {
    read: async (home, wanted) =>
      wanted.length === 0
        ? []
        : remember(getTreeRoot(home, repo), wanted, (missing) => readAll(gitAt(home), missing)),
    paths: async (home, tree) => (isId(tree) ? listAllPaths(gitAt(home), tree) : []),
    hashes: async (home, tree, paths) => (paths.length === 0 ? {} : hashAll(gitAt(home), tree, paths)),
  };
}

/**
 * What was read lately. A tree never changes, and a driver that has put a claim to the referee looks the same places up
 * once more when it counts.
 */
function createMemory() {
  const known = new Map<string, FileText>();
  let length = 0;
  const remember = (key: string, text: FileText) => {
    length += key.length + (text.kind === "text" ? text.text.length : 0);
    known.set(key, text);
  };
  return async (
    root: string,
    wanted: Wanted,
    read: (missing: Wanted) => Promise<FileText[]>,
  ): Promise<FileText[]> => {
    const keyOf = ({ tree, path, only }: WantedFile) => `${root}\0${tree}\0${path}\0${only ?? ""}`;
    if (length > mostRemembered) {
      known.clear();
      length = 0;
    }
    const missing = wanted.filter((one) => !known.has(keyOf(one)));
    const texts = missing.length > 0 ? await read(missing) : [];
    for (const [at, one] of missing.entries()) remember(keyOf(one), texts[at] ?? absent);
    return wanted.map((one) => known.get(keyOf(one)) ?? absent);
  };
}

async function readAll(git: Git, wanted: Wanted): Promise<FileText[]> {
  const possible = wanted.filter(({ tree, path }) => isId(tree) && isInside(path));
  if (possible.length === 0) return wanted.map(() => absent);
  const texts = (await readAtOnce(git, possible)) ?? (await readBySize(git, possible));
  const found = new Map(possible.map((one, at) => [one, texts[at]]));
  return wanted.map((one) => found.get(one) ?? absent);
}

/** The same with the sizes first, so that nothing long is read: two calls of git, and one more for each further tree. */
async function readBySize(git: Git, wanted: Wanted): Promise<FileText[]> {
  const trees = new Map<string, Set<string>>();
  for (const { tree, path } of wanted) trees.set(tree, (trees.get(tree) ?? new Set()).add(path));
  const lists = await Promise.all(
    [...trees].map(async ([tree, paths]) => [tree, await listEntries(git, tree, [...paths])] as const),
  );
  const entries = new Map(lists);
  const found = wanted.map(({ tree, path }) => entries.get(tree)?.get(path));
  const isWanted = (entry: Entry | undefined, at: number): entry is Entry =>
    wanted[at]?.only !== "presence" && isReadable(entry);
  const texts = await readTexts(git, found.filter(isWanted));
  return found.map((entry, at) => {
    if (!entry) return absent;
    return isWanted(entry, at) ? (texts.get(entry.id) ?? other) : other;
  });
}

/** Whether a path can stand in a tree; git would take some of the others for places outside of it. */
function isInside(path: string): boolean {
  if (path.includes("\0") || path.length > longestPath) return false;
  return path.split("/").every((part) => !["", ".", ".."].includes(part));
}

/** An object that is gone has no size: reading it fails. */
function isReadable(entry: Entry | undefined): entry is Entry {
  return entry !== undefined && isPlainFile(entry.mode) && !(entry.size > maxBytes);
}

async function listEntries(git: Git, tree: string, paths: string[]): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  for (let from = 0; from < paths.length; from += batch) {
    const some = paths.slice(from, from + batch);
    const args = ["ls-tree", "-z", "-l", "--full-tree", tree, "--", ...some];
    for (const row of (await git(args)).split("\0").slice(0, -1)) found.set(...readRow(row));
  }
  return found;
}

async function listAllPaths(git: Git, tree: string): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree];
  return (await git(args)).split("\0").slice(0, -1);
}

/** `mode type id size TAB path`, with `-` for the size of what is no blob. */
function readRow(row: string): [path: string, Entry] {
  const tab = row.indexOf("\t");
  const [mode = "", , id = "", size] = row.slice(0, tab).split(/ +/);
  return [row.slice(tab + 1), { mode, id, size: Number(size) }];
}

async function readTexts(git: Git, entries: readonly Entry[]): Promise<Map<string, FileText>> {
  const objects = await readObjects(git, entries, "utf8");
  return new Map([...objects].map(([id, text]) => [id, buildText(id, text)]));
}

/** Objects by id. Between two of them stands a line that no file can hold, since it is new each time. */
async function readObjects(
  git: Git,
  entries: readonly Entry[],
  encoding: "utf8" | "latin1",
): Promise<Map<string, string>> {
  const ids = [...new Set(entries.map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const mark = loadCrypto().randomUUID();
  const input = ids.map((id) => `${id}\n`).join("");
  const output = await git(["cat-file", "--buffer", `--batch=${mark}`], input, encoding);
  const parts = output.split(`${mark}\n`).slice(1);
  if (parts.length !== ids.length)
    throw new Failure("git.failed", "git cat-file: an object of a pinned tree is gone");
  return new Map(ids.map((id, at) => [id, (parts[at] ?? "").slice(0, -1)]));
}

/** Hashes of bytes as they are, of links too; a folder or a submodule is no file and has none. */
async function hashAll(
  git: Git,
  tree: string,
  paths: readonly string[],
): Promise<Record<string, string | null>> {
  const entries = isId(tree)
    ? await listEntries(git, tree, paths.filter(isInside))
    : new Map<string, Entry>();
  const files = [...entries].filter(([, { mode }]) => /^1[02]0/.test(mode));
  const bytes = await readObjects(
    git,
    files.map(([, entry]) => entry),
    "latin1",
  );
  const sums = new Map(
    [...bytes].map(([id, raw]) => [id, loadCrypto().hash("sha256", Buffer.from(raw, "latin1"), "hex")]),
  );
  const found = new Map(files.map(([path, { id }]) => [path, sums.get(id)]));
  return Object.fromEntries(paths.map((path) => [path, found.get(path) ?? null]));
}
