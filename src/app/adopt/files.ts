// What earlier tools left in a repository, which may be anybody's: only files that lie in it, are regular and have a modest size are
// read, and nothing is written through a link that leads out of it.
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { AdoptStep } from "./step.ts";

export interface AdoptFiles {
  readonly repo: string;
  /** The text of a file; undefined where there is none, or none that is read: then `unread` says why. */
  find(path: string, limit?: number): string | undefined;
  /** The first bytes of a file, as text. */
  findStart(path: string): string | undefined;
  /** The names in a folder, sorted; none where there is no folder. */
  list(folder: string): string[];
  /** Why nothing can be made or changed there, by itself or because this adoption makes it already. */
  refuse(to: string): string | undefined;
  /** From now on this adoption makes it. */
  claim(to: string): void;
  /** Whether something is there that was not read. */
  isUnread(path: string): boolean;
  /** What is there and was not read. */
  readonly unread: readonly AdoptStep[];
}

const longestText = 1_000_000;
const longestStart = 1_000_000;

export function openFiles(repo: string): AdoptFiles {
  const root = realpathSync(repo);
  const unread = new Map<string, AdoptStep>();
  const claimed = new Set<string>();

  function read(path: string, limit: number, take: (real: string) => string): string | undefined {
    const real = tryOr(() => realpathSync(join(root, path)), undefined);
    const why = real === undefined ? explainAbsent(join(root, path)) : explainUnread(root, real, limit);
    if (why !== undefined) unread.set(path, { from: path, result: "left", why });
    if (real === undefined || why !== undefined) return undefined;
    try {
      return take(real);
    } catch (error) {
      unread.set(path, { from: path, result: "left", why: `it cannot be read: ${(error as Error).message}` });
      return undefined;
    }
  }

  return {
    repo: root,
    find: (path, limit = longestText) => read(path, limit, (real) => readFileSync(real, "utf8")),
    findStart: (path) => read(path, Number.POSITIVE_INFINITY, readStart),
    list(folder) {
      const real = tryOr(() => realpathSync(join(root, folder)), undefined);
      if (real === undefined || !statSync(real).isDirectory()) return [];
      if (isInside(root, real)) return tryOr(() => readdirSync(real).sort(), []);
      unread.set(folder, { from: folder, result: "left", why: leadsOut });
      return [];
    },
    isUnread: (path) => unread.has(path),
    refuse: (to) => (claimed.has(to) ? "another one becomes it already" : explainUnwritable(root, to)),
    claim: (to) => void claimed.add(to),
    get unread() {
      return [...unread.values()];
    },
  };
}

/** A file that becomes a new one, unless one is there. */
export function mapFile(files: AdoptFiles, from: string, to: string, text: string, why: string): AdoptStep {
  if (files.find(to) === text) return { from, result: "present", to, why: "adopted before" };
  const refused = files.refuse(to);
  if (refused !== undefined) return { from, result: "left", to, why: refused };
  files.claim(to);
  return { from, result: "mapped", to, why, write: { kind: "create", text } };
}

const leadsOut = "it is a link that leads out of the repository";
const isInside = (root: string, real: string): boolean => `${real}${sep}`.startsWith(`${root}${sep}`);
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const explainAbsent = (path: string): string | undefined =>
  tryOr(() => isThere(path), false) ? "it is a link to nothing" : undefined;

function explainUnread(root: string, real: string, limit: number): string | undefined {
  if (!isInside(root, real)) return leadsOut;
  const about = statSync(real);
  if (!about.isFile()) return "it is no regular file";
  return about.size > limit ? `it is longer than ${limit / 1_000_000} MB` : undefined;
}

/** The nearest folder that is there must be the repository's own; a link at its end could lead anywhere. */
function explainUnwritable(root: string, to: string): string | undefined {
  if (tryOr(() => isThere(join(root, to)), false)) return `${to} is there already; nothing is overwritten`;
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    const path = join(root, folder);
    if (!isThere(path)) continue;
    const real = tryOr(() => realpathSync(path), undefined);
    if (real === undefined || !isInside(root, real))
      return `${folder} is a link that leads out of the repository`;
    return statSync(real).isDirectory() ? undefined : `${folder} is no folder`;
  }
}

function readStart(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(longestStart);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
