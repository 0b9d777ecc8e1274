// What a command left in its folder. An agent may have prepared that folder: links that lead out of it are not
// followed, and a file is known as new by what a writer cannot set.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { LeftFile } from "../../ports/system/scratch.ts";

const maxBytes = 64 * 1024 * 1024;

export function findFolderIn(root: string, path: string): string | undefined {
  const found = resolveInside(root, path);
  return found !== undefined && statSync(found).isDirectory() ? found : undefined;
}

export function findFileIn(root: string, path: string): LeftFile | undefined {
  const found = resolveInside(root, path);
  const stat = found === undefined ? undefined : statSync(found, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !stat?.isFile()) return undefined;
  return {
    // A time of modification can be set to anything; the time of change is the system's own.
    mark: [stat.dev, stat.ino, stat.ctimeNs, stat.size].join(":"),
    text: () => (stat.size > maxBytes ? undefined : tryOr(() => readFileSync(found, "utf8"), undefined)),
  };
}

const mostFiles = 50;
const mostBytes = 4 * 1024 * 1024;

export function readFilesIn(root: string): { readonly name: string; readonly bytes: Uint8Array }[] {
  return tryOr(() => readdirSync(root, { withFileTypes: true }), [])
    .filter((entry) => entry.isFile() && lstatSync(join(root, entry.name)).size <= mostBytes)
    .map(({ name }) => name)
    .sort()
    .slice(0, mostFiles)
    .map((name) => ({ name, bytes: readFileSync(join(root, name)) }));
}

function resolveInside(root: string, path: string): string | undefined {
  try {
    const [top, found] = [realpathSync(root), realpathSync(join(root, path))];
    return found === top || found.startsWith(top + sep) ? found : undefined;
  } catch {
    return undefined; // Not there, or behind a folder that may not be read.
  }
}
