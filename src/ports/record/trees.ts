// Files of a git tree that is pinned already, read as bytes of the object store: what stands in the worktree now may
// be something else.
import type { Change } from "../../core/text/diff/raw.ts";

export type FileText =
  | { readonly kind: "text"; readonly text: string }
  /** A binary file, a link, a submodule, or a text over the limit. */
  | { readonly kind: "other" }
  | { readonly kind: "absent" };

export interface WantedFile {
  readonly tree: string;
  readonly path: string;
  /** Whether it is there, and not what it says. */
  readonly only?: "presence";
}

/** Where the objects are: in the repository, or in the bubble's own clone. */
export interface TreeHome {
  readonly config: { readonly repo_path: string; readonly work_mode?: "worktree" | "clone" };
  readonly workspace?: { readonly path: string } | undefined;
}

/**
 * T1 a path is looked up in exactly the given tree or commit; a path that leaves it is absent
 * T2 answers come in the order of the questions; asking for nothing starts no program
 * T4 the paths of a tree are those of all its files, in every folder; an unknown tree has none
 * T5 of a path whose presence alone is asked for no text is read: what is there is `other`
 * T3 a hash is that of the file's bytes, whatever they are; what is no file in the tree has none
 */
export interface Trees {
  read(home: TreeHome, wanted: readonly WantedFile[]): Promise<FileText[]>;
  /** Every file of a tree or commit. */
  paths(home: TreeHome, tree: string): Promise<string[]>;
  /** The sha256 of each path in one tree; null for what is not there. */
  hashes(home: TreeHome, tree: string, paths: readonly string[]): Promise<Record<string, string | null>>;
}

/** The text of a change, or why it is not shown as text. */
export type PatchText =
  /** Each byte is one character: what is no UTF-8 must not get lost on the way to its judge. */
  { readonly kind: "text"; readonly latin1: string } | { readonly kind: "large" };

/**
 * D1 every file that differs between two trees or commits is told, with modes and ids; renames are found
 * D2 a file is compared as text whatever attributes, settings or bytes say: nobody can hide a change by them
 * D3 only trees by id and paths inside them are looked up
 * D4 the size of each file by its id; what is no file that is there has none
 */
export interface TreeDiffs {
  changes(home: TreeHome, from: string, to: string): Promise<Change[]>;
  /** One file; `context` lines around each change. `from`: where a renamed file was. */
  patch(
    home: TreeHome,
    trees: { readonly from: string; readonly to: string },
    file: { readonly path: string; readonly from?: string | undefined },
    context: number,
  ): Promise<PatchText>;
  sizes(home: TreeHome, ids: readonly string[]): Promise<(number | null)[]>;
}
