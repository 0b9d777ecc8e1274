// The page's own files, made by the build: a fixed list, so that no name from a request ever becomes a path.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { refuse } from "../../core/model/refusal.ts";
import type { WholeAnswer } from "../http/request.ts";

export type PageFiles = ReadonlyMap<string, WholeAnswer>;

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Names of scripts and styles hold the hash of their content: a browser may keep them. */
const kept = "public, max-age=31536000, immutable";

export function readPageFiles(folder: string): PageFiles {
  try {
    return new Map(readdirSync(folder).flatMap((name) => buildFileAnswer(folder, name)));
  } catch {
    throw refuse("ui.not-built", `the page's files are missing in ${folder}`, "npm run build");
  }
}

function buildFileAnswer(folder: string, name: string): [string, WholeAnswer][] {
  const type = types[extname(name)];
  if (!type) return [];
  const cache: Record<string, string> = name.endsWith(".html") ? {} : { "cache-control": kept };
  const headers = { "content-type": type, ...cache };
  return [[`/${name}`, { status: 200, headers, body: readFileSync(join(folder, name)) }]];
}

/** Every page is the same document; what it shows is asked for by its own script. */
const pagePaths = [
  /^\/(open|bubbles|plans|insights|keys)?$/,
  /^\/p\/[^/]+\/[^/]+$/,
  /^\/workflows\/[^/]+$/,
  /^\/b\/[^/]+\/[^/]+(\/[a-z]+)?$/,
];

export function findFile(files: PageFiles, path: string): WholeAnswer | undefined {
  return files.get(pagePaths.some((pattern) => pattern.test(path)) ? "/index.html" : path);
}
