// Where the records of a repository are kept: in its own folder, unless its settings or the command line name a server. Every
// command asks this first, so it reads one file and no YAML.
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** What `--store` sets for one command: an address, or `files`. */
export const storeVariable = "PAIRFLOW_STORE";

/** Whether the records are on a server that several machines share. */
export function isStoreShared(repo: string, env: Env = process.env): boolean {
  const told = env[storeVariable];
  if (told) return told !== "files";
  return /^(["']?)store\1\s*:/m.test(readProjectText(repo));
}

/** `.pairflow/config.yaml` as it stands in the checkout: where the records are is a matter of this clone, not of a commit. */
export function readProjectText(repo: string): string {
  try {
    return readFileSync(join(repo, ".pairflow", "config.yaml"), "utf8");
  } catch {
    return "";
  }
}
