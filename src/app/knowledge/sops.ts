// SOP files as they stand in a commit. Every problem of one is reported with file, line and column; none is ever
// dropped because it could not be read.
import { splitFrontmatter } from "../../core/knowledge/markdown/frontmatter.ts";
import { buildSopId, parseSopFile, type Sop, slugifyFileName } from "../../core/knowledge/sop.ts";
import { buildFileError, formatFileSpot } from "../files/problems.ts";
import { readYaml, type YamlFile } from "../files/yaml.ts";
import { buildUsageError, type UsageError } from "../host/usage.ts";
import type { KnowledgePart, Source } from "./part.ts";

export const sopFolder = ".pairflow/sops/";
const hint = "correct it and commit it; pairflow sop list shows what is wrong";
/** Settings are a few lines; far larger ones are a mistake, and slow to read. */
const longestSettings = 16 * 1024;

export const isSopFile = (path: string): boolean => path.startsWith(sopFolder) && /\.md$/i.test(path);

/** Everything under the folder that is no SOP because of its name: said, so that nobody waits for it to count. */
export function listOtherFiles(files: readonly string[]): string[] {
  const others = files.filter((path) => path.startsWith(sopFolder) && !isSopFile(path));
  return others.map((path) => `${path} does not end in .md and is no SOP`);
}

/** All SOPs, sorted by id, and all that is wrong with any of them. */
export function readSops(sources: readonly Source[]): KnowledgePart<readonly Sop[]> {
  const read = sources.map(readSop);
  const sops = read.flatMap(({ value }) => value ?? []);
  return {
    value: [...sops].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    problems: [...read.flatMap(({ problems }) => problems), ...findSameIds(sources.map(({ file }) => file))],
    notes: read.flatMap(({ notes }) => notes),
  };
}

function readSop(source: Source): KnowledgePart<Sop | undefined> {
  try {
    return parseSopText(source);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { value: undefined, problems: [error], notes: [] };
  }
}

/** The SOP of one file; undefined, with a note, for a document of another category. Throws only usage errors. */
export function parseSopText({ file, text }: Source): KnowledgePart<Sop | undefined> {
  const split = splitFrontmatter(text);
  if (!split.ok)
    throw buildUsageError(
      "sop.syntax",
      `${formatFileSpot(file, { line: split.line, column: 1 })}: ${split.message}`,
      hint,
    );
  const { value, places } = buildSettings(split.front, file);
  const read = parseSopFile({ file, settings: value, body: split.body });
  if (read.kind === "wrong") {
    const problems = read.problems.map((problem) => ({ ...problem, code: "sop.invalid" }));
    throw buildFileError(file, problems, (path, part) => places(path, part) ?? { line: 1, column: 1 }, hint);
  }
  if (read.kind === "other")
    return { value: undefined, problems: [], notes: [`${file} has category ${read.category} and is no SOP`] };
  checkName(file);
  return { value: read.sop, problems: [], notes: [] };
}

function buildSettings(front: string, file: string): YamlFile {
  if (front.length > longestSettings)
    throw buildUsageError(
      "sop.syntax",
      `${file}:1:1: the settings have more than ${longestSettings} characters`,
      hint,
    );
  try {
    return readYaml(front, file, "sop.syntax");
  } catch (error) {
    if (isUsageError(error)) throw error;
    // The YAML library gives up in ways of its own on settings nested beyond all sense.
    throw buildUsageError(
      "sop.syntax",
      `${file}:1:1: the settings cannot be read: ${(error as Error).message}`,
      hint,
    );
  }
}

const isUsageError = (error: unknown): error is UsageError =>
  typeof error === "object" && error !== null && "usage" in error;

function checkName(file: string): void {
  const slug = slugifyFileName(file);
  if (slug === "")
    throw buildUsageError(
      "sop.bad-name",
      `${file}: no letter or digit is left to make an id of`,
      "rename it",
    );
  if (buildSopId(file).length > 200)
    throw buildUsageError("sop.bad-name", `${file}: the name is too long for an id`, "rename it");
}

/** Two files with one id: a review that answers for one would answer for both. */
function findSameIds(files: readonly string[]): UsageError[] {
  const first = new Map<string, string>();
  return files.flatMap((file) => {
    const id = buildSopId(file);
    const other = first.get(id);
    if (other === undefined) first.set(id, file);
    return other === undefined
      ? []
      : [buildUsageError("sop.same-id", `${other} and ${file} are both ${id}`, "rename one of them")];
  });
}
