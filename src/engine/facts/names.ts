// Which files the words of a review name: paths of the tree or the base, absolute paths of the worktree, and base names
// that only one file has. What is not asked about is not read.
import type { ReviewClaim } from "../../core/model/command.ts";
import type { State } from "../../core/model/state.ts";
import { listUnknownWords } from "../../core/review/citations.ts";
import type { Names } from "../../core/review/evidence/token.ts";
import { getFileName } from "../../core/text/glob.ts";
import { listChangedPaths } from "./knowledge.ts";
import type { TextReader, TreeReading } from "./texts.ts";

interface Asked {
  readonly claim: ReviewClaim;
  readonly tree: string;
  readonly texts: TextReader;
}

/** More words than these are no review any more. */
const mostWords = 5_000;

interface Known {
  readonly known: Map<string, string | undefined>;
  /** Words that were written with a line. */
  readonly bare: Set<string>;
}

/** The files that the texts of a review name. */
export async function findNamedFiles(world: TreeReading, state: State, asked: Asked): Promise<Names> {
  const { claim, tree, texts } = asked;
  const found: Known = { known: new Map(), bare: new Set() };
  for (const look of ["first", "whole"] as const) {
    const words = [...listUnknownWords(claim, found.known, look)].slice(0, mostWords);
    for (const [word, { hasLine }] of words) if (hasLine) found.bare.add(word);
    await lookUp(
      state,
      asked,
      words.map(([word]) => word),
      found.known,
    );
  }
  await nameInTree(world, state, tree, found);
  const paths = new Set([...found.known.values()].flatMap((path) => (path === undefined ? [] : [path])));
  await texts.load([...paths].map((path) => ({ tree, path })));
  return (word) => found.known.get(word);
}

/** Asks the tree for each word, and the base for those it does not have. */
async function lookUp(
  state: State,
  { tree, texts }: Asked,
  words: readonly string[],
  known: Known["known"],
): Promise<void> {
  if (words.length === 0) return;
  const paths = words.map((word) => stripWorktree(state, word));
  await texts.load(
    paths.map((path) => ({ tree, path })),
    paths.map((path) => ({ tree: state.baseCommit, path })),
  );
  const changed = listChangedPaths(state.tree?.files ?? []);
  for (const [i, word] of words.entries()) {
    const path = paths[i] ?? word;
    const isFile = texts.has(tree, path) || texts.has(state.baseCommit, path);
    known.set(word, isFile ? path : findOnlyNamed(word, changed));
  }
}

/** A path that begins with the worktree's own folder is one inside of it. */
function stripWorktree({ workspace }: State, word: string): string {
  const root = workspace ? `${workspace.path.replace(/\/+$/, "")}/` : "/";
  return root !== "/" && word.startsWith(root) ? word.slice(root.length) : word;
}

/** The only one of these files with that base name. */
function findOnlyNamed(word: string, paths: readonly string[]): string | undefined {
  const [only, ...others] = new Set(
    word.includes("/") ? [] : paths.filter((path) => getFileName(path) === word),
  );
  return others.length === 0 ? only : undefined;
}

/** Base names with a line that no changed file has alone: the whole tree is listed for them, once. */
async function nameInTree(
  world: TreeReading,
  state: State,
  tree: string,
  { known, bare }: Known,
): Promise<void> {
  const open = [...bare].filter((word) => known.get(word) === undefined && /^[^\s/]+\.\w+$/u.test(word));
  if (open.length === 0) return;
  const paths = await world.trees.paths(state, tree);
  for (const word of open) known.set(word, findOnlyNamed(word, paths));
}
