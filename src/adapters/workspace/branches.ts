// The branches of a repository, read from git's own files without starting it: they are looked at before and after
// everything that runs, several times in a turn. Whatever is unusual in these files is left to git.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Names of refs to commits, in the order of their names; undefined when git has to be asked. */
export function readBranches(commonDir: string): Map<string, string> | undefined {
  if (existsSync(join(commonDir, "reftable"))) return undefined;
  // Loose files first, as git does: who packs refs writes the packed ones before it removes the loose ones.
  const loose = readLooseRefs(commonDir, "refs/heads");
  if (!loose) return undefined;
  const all = new Map([...readPackedHeads(commonDir), ...loose]);
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Undefined when one of them is no plain commit id: a symbolic ref, or what a power cut left. */
function readLooseRefs(commonDir: string, folder: string): [name: string, commit: string][] | undefined {
  const found: [string, string][] = [];
  for (const entry of readFolder(join(commonDir, folder))) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const below = readLooseRefs(commonDir, name);
      if (!below) return undefined;
      found.push(...below);
    } else if (!entry.name.endsWith(".lock")) {
      const commit = readText(join(commonDir, name))?.trim();
      if (commit !== undefined && !isObjectId(commit)) return undefined;
      if (commit !== undefined) found.push([name, commit]);
    }
  }
  return found;
}

function readPackedHeads(commonDir: string): [name: string, commit: string][] {
  const lines = (readText(join(commonDir, "packed-refs")) ?? "").split("\n");
  return lines.flatMap((line): [string, string][] => {
    const [commit = "", name = ""] = line.split(" ");
    return isObjectId(commit) && name.startsWith("refs/heads/") ? [[name, commit]] : [];
  });
}

const isObjectId = (text: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    return ignoreMissing(error, []);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return ignoreMissing(error, undefined);
  }
}

/** A branch that is deleted in this very moment. */
function ignoreMissing<T>(error: unknown, nothing: T): T {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return nothing;
  throw error;
}
