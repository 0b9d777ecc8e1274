// Whether a condition of a preset holds, judged on the files of the base commit alone: what stands in the worktree was
// written by those who are to be checked.
import { compileGlobs } from "../../text/glob.ts";
import { parseJson } from "../../text/json.ts";
import type { Preset, PresetCondition } from "./preset.ts";

/** The base commit, as far as presets look at it. */
export interface BaseFiles {
  readonly files: readonly string[];
  readonly text: (path: string) => string | undefined;
  /** The project asks for the preset by name. */
  readonly named?: boolean;
  /** The repository around it, for a project in a folder. */
  readonly above?: BaseFiles;
}

const makefiles = ["GNUmakefile", "makefile", "Makefile"];
/** What `npm init` writes; running it proves nothing. */
const placeholder = /no test specified/;

/** Flags by which linters and formatters write instead of checking. */
const writing = /(?:^|\s)(?:--fix(?![\w-])|--write\b|--apply(?:-unsafe)?\b|lint-staged\b|prettier\s+-w\b)/;

export function isPresetConditionMet(condition: PresetCondition, base: BaseFiles): boolean {
  const { file, script, checks, dependency, mentions, target, named } = condition;
  if (named && !base.named) return false;
  if (file && !hasMatchingFile(file, base)) return false;
  if (script !== undefined && !hasScript(script, base, checks === true)) return false;
  if (dependency !== undefined && !hasDependency(dependency, base)) return false;
  if (mentions && !mentions.in.some((path) => isMentioned(base.text(path), mentions.text))) return false;
  return target === undefined || hasTarget(target, base);
}

/** The files whose text a preset's conditions look into. */
export function listFilesRead(preset: Preset): string[] {
  const conditions = [
    ...preset.gates.flatMap((gate) => gate.when ?? []),
    ...preset.words,
    ...preset.shown.flatMap(({ when }) => when),
  ] as readonly PresetCondition[];
  const reads = conditions.flatMap(({ script, dependency, mentions, target }) => [
    ...((script ?? dependency) ? ["package.json"] : []),
    ...(mentions?.in ?? []),
    ...(target ? makefiles : []),
  ]);
  return [...new Set(reads)];
}

export function hasMatchingFile(globs: readonly string[], base: BaseFiles): boolean {
  return base.files.some(compileGlobs(globs));
}

function hasScript(name: string, base: BaseFiles, checks: boolean): boolean {
  const script = readManifest(base).scripts?.[name];
  const isThere = typeof script === "string" && script.trim() !== "" && !placeholder.test(script);
  return isThere && !(checks && writing.test(script));
}

function hasDependency(name: string, base: BaseFiles): boolean {
  const { dependencies, devDependencies } = readManifest(base);
  return [dependencies, devDependencies].some(
    (list) => typeof list === "object" && list !== null && Object.hasOwn(list, name),
  );
}

/** package.json; one that cannot be read has no scripts and no dependencies. */
function readManifest(base: BaseFiles): Record<string, Record<string, unknown> | undefined> {
  try {
    const value: unknown = parseJson(base.text("package.json") ?? "{}");
    return typeof value === "object" && value !== null
      ? (value as Record<string, Record<string, unknown>>)
      : {};
  } catch {
    return {};
  }
}

function isMentioned(source: string | undefined, text: string): boolean {
  const spoken = (source ?? "").replace(/#.*$/gm, "");
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${literal}`, "i").test(spoken);
}

/** make reads the first makefile it finds, and so do we. */
function hasTarget(name: string, base: BaseFiles): boolean {
  const text = makefiles.map((path) => base.text(path)).find((found) => found !== undefined) ?? "";
  return text.split("\n").some((line) => {
    const targets = /^([^\s#:=.][^#:=]*)::?(?!=)/.exec(line)?.[1] ?? "";
    return targets.split(/\s+/).includes(name);
  });
}
