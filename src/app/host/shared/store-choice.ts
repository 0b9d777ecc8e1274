// Where the records of a repository are kept: in its own folder, unless its settings or the command line name a server. Every
// command asks this first, so it reads one file and no YAML.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import { getUserFolder } from "../user-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What `--store` sets for one command: an address, or `files`. */
export const storeVariable = "PAIRFLOW_STORE";

/** Set in the process of a worker, which has a key of its own where its user decides on the same machine. */
export const workerVariable = "PAIRFLOW_STORE_WORKER";

/**
 * Where the key of this user is kept; the first of them that is there counts. On a machine that only works, a person looks with the
 * worker's key, and decides nothing.
 */
export function listKeyFiles(project: string, env: Env): string[] {
  const own = [`${project}.nk`, `${project}.worker.nk`];
  const names = env[workerVariable] ? own.reverse() : own;
  return names.map((name) => join(getUserFolder(env), "stores", name));
}

/** Whether the records are on a server that several machines share. */
export function isStoreShared(repo: string, env: Env = process.env): boolean {
  const told = env[storeVariable];
  if (told) return told !== "files";
  const text = readProjectText(repo);
  return text.includes("store") && /^(["']?)store\1\s*:/m.test(text);
}

/** `.pairflow/config.yaml` from the checkout, not from a commit: each clone chooses where its records are. */
export function readProjectText(repo: string): string {
  return tryOr(() => readFileSync(join(repo, ".pairflow", "config.yaml"), "utf8"), "");
}
