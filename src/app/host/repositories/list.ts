// The repositories of this user, for screens that show them all: a list in the user's folder, outside every repository. It
// grows only; a repository that is gone is not shown, and shows again when it is back.
import { appendFileSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import { getUserFolder, makeUserFolder } from "../user-folder.ts";
import { computeRepoTag } from "./names.ts";

export interface KnownRepository {
  /** Its folder's name; of several with one name the first keeps it, so that addresses stay. */
  readonly name: string;
  readonly path: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const listFile = (env: Env): string => join(getUserFolder(env), "repositories");

/** Puts a repository on the list, once. A list that cannot be written keeps nobody from working. */
export function rememberRepository(repo: string, env: Env = process.env): void {
  const path = realpathSync(repo);
  if (listListedPaths(env).includes(path) || path.includes("\n")) return;
  try {
    makeUserFolder(getUserFolder(env));
    appendFileSync(listFile(env), `${path}\n`, { mode: 0o600 });
  } catch {
    // Only screens over several repositories miss it.
  }
}

/** Those that exist, in the order in which they were first used. */
export function listKnownRepositories(env: Env = process.env): KnownRepository[] {
  const taken = new Set<string>();
  return listListedPaths(env).flatMap((path) => {
    const plain = basename(path);
    const name = taken.has(plain) ? `${plain}-${computeRepoTag(path).slice(0, 4)}` : plain;
    taken.add(name);
    return existsSync(join(path, ".git")) ? [{ name, path }] : [];
  });
}

function listListedPaths(env: Env): string[] {
  return tryOr(() => [...new Set(readFileSync(listFile(env), "utf8").split("\n").filter(Boolean))], []);
}
