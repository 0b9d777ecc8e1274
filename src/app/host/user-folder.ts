// The one folder of a user outside every repository: what must hold whatever a repository says. Agents' sandboxes never see it.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { replaceFile } from "../../adapters/disk/files.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { parseJson } from "../../core/text/json.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function getUserFolder(env: Env = process.env): string {
  if (env.PAIRFLOW_HOME) return env.PAIRFLOW_HOME;
  const state = env.XDG_STATE_HOME?.startsWith("/")
    ? env.XDG_STATE_HOME
    : join(env.HOME || homedir(), ".local", "state");
  return join(state, "pairflow");
}

/** A repository that is thrown away leaves nothing in the user's own folder. */
export function keepUserFolderIn(folder: string): void {
  process.env.PAIRFLOW_HOME = join(folder, "user");
}

/** A file of the user's folder about one repository: `trust/shop-1f3c9a0b2d4e6f81`. */
export function getUserFile(kind: "trust" | "operator-keys", repo: string, env: Env = process.env): string {
  const real = tryOr(() => realpathSync(repo), repo);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 16);
  return join(getUserFolder(env), kind, `${basename(real)}-${hash}`);
}

/** Makes a folder of it, for its owner alone. */
export function makeUserFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/** What a file below the user's folder says as JSON; undefined when it is not there or no JSON. */
export function readUserJson(file: string): unknown {
  return tryOr(() => parseJson(readFileSync(file, "utf8")), undefined);
}

/** Replaces it at once, for its owner alone. */
export function writeUserJson(file: string, value: unknown): void {
  makeUserFolder(dirname(file));
  replaceFile(file, JSON.stringify(value));
}
