// The projects inside a repository: the packages that a workspace file at the root names or, where the root itself is no
// project, the folders that look like one. Judged on the base commit alone.
import { compileGlobs } from "../../text/glob.ts";
import { parseJson } from "../../text/json.ts";
import type { BaseFiles } from "./condition.ts";
import type { Preset } from "./preset.ts";

/** Files at the root that name packages. */
export const workspaceFiles = ["package.json", "pnpm-workspace.yaml", "go.work", "pyproject.toml"] as const;

/** Folders whose projects are samples or somebody else's. */
const strange =
  /(?:^|\/)(?:node_modules|vendor|third_party|examples?|samples?|fixtures?|testdata|tests?|docs?|dist|build|templates?|\.[^/]+)(?:\/|$)/i;
const mostGuessed = 8;

/** Folders of the packages that the workspace files of the root name, in the order of their paths. */
export function listWorkspaceFolders(base: BaseFiles): string[] {
  const found = [
    ...listMatching(base, [...listNpmGlobs(base), ...listPnpmGlobs(base)], "package.json"),
    ...listMatching(base, goFolders(base), "go.mod"),
    ...listMatching(base, listUvGlobs(base), "pyproject.toml"),
  ];
  return [...new Set(found)].sort();
}

/** Folders that look like a project in a repository whose root is none; none when there are too many to be meant. */
export function guessProjectFolders(base: BaseFiles, presets: readonly Preset[]): string[] {
  const files = new Set(presets.filter(({ stands_in }) => !stands_in).flatMap((preset) => preset.files));
  const folders = base.files.flatMap((path) => {
    const [name = "", ...up] = path.split("/").reverse();
    return files.has(name) && up.length > 0 && up.length <= 2 ? [up.reverse().join("/")] : [];
  });
  const distinct = [...new Set(folders)].filter((folder) => !strange.test(folder)).sort();
  return distinct.length > mostGuessed ? [] : distinct;
}

/** A folder of the base as a base of its own; what its lock file does not say, the one above it does. */
export function selectBaseFolder(base: BaseFiles, folder: string): BaseFiles {
  const start = `${folder}/`;
  return {
    files: base.files.flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : [])),
    text: (path) => base.text(`${start}${path}`),
    above: base,
  };
}

/** A short word for a folder in the names of its gates. */
export function abbreviateFolder(folder: string): string {
  const words = folder.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "");
  return words.length <= 24 ? words : (folder.split("/").at(-1) ?? folder).slice(0, 24);
}

function listMatching(base: BaseFiles, globs: readonly string[], file: string): string[] {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(normalizeGlob);
  if (wanted.length === 0) return [];
  const matches = compileGlobs(wanted);
  const excluded = compileGlobs(
    globs.flatMap((glob) => (glob.startsWith("!") ? [normalizeGlob(glob.slice(1))] : [])),
  );
  return base.files.flatMap((path) => {
    const folder = path.slice(0, -file.length - 1);
    const isProject = folder !== "" && path === `${folder}/${file}` && !/(?:^|\/)node_modules\//.test(path);
    return isProject && matches(folder) && !excluded(folder) ? [folder] : [];
  });
}

const normalizeGlob = (glob: string) => glob.replace(/^\.\//, "").replace(/\/+$/, "");

function listNpmGlobs(base: BaseFiles): string[] {
  const workspaces = parseManifest(base.text("package.json")).workspaces as unknown;
  const list = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | undefined)?.packages;
  return Array.isArray(list) ? list.filter((glob) => typeof glob === "string") : [];
}

function parseManifest(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(text?.replace(/^\uFEFF/, "") ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The list under `packages:`; nothing else of the file is looked at. */
function listPnpmGlobs(base: BaseFiles): string[] {
  const lines = (base.text("pnpm-workspace.yaml") ?? "").split(/\r?\n/);
  const from = lines.findIndex((line) => /^packages\s*:\s*(?:#.*)?$/.test(line));
  if (from < 0) return [];
  const items: string[] = [];
  for (const line of lines.slice(from + 1)) {
    const item = /^\s*-\s+["']?([^"'#]+?)["']?\s*(?:#.*)?$/.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else if (/^\S/.test(line) && !line.startsWith("#")) break;
  }
  return items;
}

/** `use ./cart` and `use ( ./cart ./web )`. */
function goFolders(base: BaseFiles): string[] {
  const text = (base.text("go.work") ?? "").replace(/\/\/.*$/gm, "");
  const blocks = [...text.matchAll(/^use\s+(?:\(([^)]*)\)|(\S+))/gm)];
  return blocks
    .flatMap(([, many, one]) => (many ?? one ?? "").split(/\s+/))
    .filter((word) => word !== "" && word !== ".");
}

function listUvGlobs(base: BaseFiles): string[] {
  const text = base.text("pyproject.toml") ?? "";
  const members = /^\[tool\.uv\.workspace\][^[]*?^members\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? "";
  return [...members.matchAll(/["']([^"']+)["']/g)].map(([, glob]) => glob ?? "");
}
