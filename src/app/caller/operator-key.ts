// Operator keys: a file that speaks for a person where there is no terminal. The user's folder keeps its hash for each repository.
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { syncFolder } from "../../adapters/disk/files.ts";
import { refuse } from "../../core/model/refusal.ts";
import { Failure } from "../../ports/failure.ts";
import { findBubbleWorktree, getWorktreeRoot } from "../host/locate.ts";
import { makeUserFolder } from "../host/user-folder.ts";
import { getKeyListPath, hashKey } from "./guard.ts";

const shortestKey = 32;

export interface RegisteredKey {
  readonly file: string;
  readonly made: boolean;
  /** False when this repository knew the key already. */
  readonly registered: boolean;
}

/** Makes the key file unless it exists, and registers it. Refuses a place that agents can read. */
export function registerKey(repo: string, file: string, cwd = process.cwd()): RegisteredKey {
  const path = resolveFolderLinks(resolve(cwd, file));
  const around = findBubbleWorktree(repo, dirname(path))?.top;
  for (const closed of [repo, getWorktreeRoot(repo), ...(around ? [around] : [])]) {
    if (path === closed || path.startsWith(`${closed}/`))
      throw refuse(
        "init.key-inside",
        `${file} is where agents work; a key there would be theirs too`,
        "pairflow init --operator-key ~/.config/pairflow/operator.key",
      );
  }
  const made = !existsSync(path);
  if (made) makeKey(path);
  return { file: path, made, registered: register(repo, readUsableKey(path)) };
}

/** The path with its folder's links followed, so that no link leads back into the repository. */
function resolveFolderLinks(path: string): string {
  for (
    let folder = dirname(path), rest = basename(path);
    ;
    rest = join(basename(folder), rest), folder = dirname(folder)
  ) {
    if (existsSync(folder)) return existsSync(path) ? realpathSync(path) : join(realpathSync(folder), rest);
  }
}

function makeKey(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const key = `${randomBytes(32).toString("base64url")}\n`;
    writeFileSync(path, key, { flag: "wx", mode: 0o600, flush: true });
    // A key that was shown to its owner is there after a power cut, and so is its hash.
    syncFolder(dirname(path));
  } catch (cause) {
    throw new Failure("init.key-failed", `${path} could not be written: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function readUsableKey(path: string): string {
  const stat = statSync(path);
  if (!stat.isFile()) throw refuse("init.key-unusable", `${path} is not a file`);
  if ((stat.mode & 0o077) !== 0)
    throw refuse("init.key-open", `${path} can be read by other users`, `chmod 600 ${path}`);
  const key = readFileSync(path, "utf8").trim();
  if (key.length < shortestKey)
    throw refuse(
      "init.key-unusable",
      `${path} is too short for a key (at least ${shortestKey} characters)`,
      "name a file that does not exist yet; it is made",
    );
  return key;
}

function register(repo: string, key: string): boolean {
  const list = getKeyListPath(repo);
  const hash = hashKey(key);
  const known = existsSync(list) ? readFileSync(list, "utf8") : "";
  if (known.split("\n").includes(hash)) return false;
  makeUserFolder(dirname(list));
  const gap = known === "" || known.endsWith("\n") ? "" : "\n";
  appendFileSync(list, `${gap}${hash}\n`, { mode: 0o600, flush: true });
  syncFolder(dirname(list));
  return true;
}
