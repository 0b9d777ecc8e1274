// A project's knowledge at one commit: which files hold it, and what they say. All files are read at once, because a
// project may have hundreds of SOPs and starting git for each would take seconds.
import {
  isConstitution,
  parseConstitution,
  sortConstitutionLevels,
} from "../../core/knowledge/constitution.ts";
import { type Convention, parseConventions } from "../../core/knowledge/conventions.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { isKnowledge } from "../../core/permission/hidden-paths.ts";
import { findUnclosedBlock } from "../../core/text/markdown.ts";
import type { FileText } from "../../ports/record/trees.ts";
import { buildUnclosedError } from "../files/unclosed.ts";
import { buildUsageError, type UsageError } from "../host/usage.ts";
import type { KnowledgePart, Source } from "./part.ts";
import { isSopFile, listOtherFiles, readSops } from "./sops.ts";

export const conventionsFile = ".pairflow/conventions.ndjson";

export interface KnowledgeSnapshot {
  readonly commit: string;
  /** All paths of the commit. */
  readonly files: readonly string[];
  /** Their texts, in the order asked for. */
  readonly read: (paths: readonly string[]) => Promise<readonly FileText[]>;
}

/** Reads the wanted files and no others; every problem of every file is reported, not only the first. */
export async function readParts({
  commit,
  files,
  read,
}: KnowledgeSnapshot): Promise<KnowledgePart<Knowledge>> {
  const wanted = files.filter((path) => isSopFile(path) || isConstitution(path) || path === conventionsFile);
  const { sources, problems } = buildTexts(wanted, await read(wanted));
  const sops = readSops(sources.filter(({ file }) => isSopFile(file)));
  const conventions = readConventions(sources.find(({ file }) => file === conventionsFile));
  const levels = sources
    .filter(({ file }) => isConstitution(file))
    .map(({ file, text }) => parseConstitution(file, text));
  return {
    value: {
      v: 1,
      commit,
      sops: [...sops.value],
      constitution: sortConstitutionLevels(levels),
      conventions: [...conventions.value],
      hidden: files.filter(isKnowledge),
    },
    problems: [...problems, ...findUnclosedSources(sources), ...sops.problems, ...conventions.problems],
    notes: [...listOtherFiles(files), ...sops.notes, ...conventions.notes],
  };
}

/** What is never closed hides everything behind it: a rule that nobody is told must not pass for one that is held. */
function findUnclosedSources(sources: readonly Source[]): UsageError[] {
  return sources
    .filter(({ file }) => file !== conventionsFile)
    .flatMap(({ file, text }) => {
      const found = findUnclosedBlock(text);
      return found ? [buildUnclosedError("knowledge.unclosed", file, found)] : [];
    });
}

function buildTexts(wanted: readonly string[], read: readonly FileText[]) {
  const found = wanted.map((file, i) => ({ file, got: read[i] }));
  const sources = found.flatMap(({ file, got }): Source[] =>
    got?.kind === "text" ? [{ file, text: got.text }] : [],
  );
  const others = found.filter(({ got }) => got?.kind !== "text");
  const problems = others.map(({ file }) =>
    buildUsageError(
      "knowledge.not-text",
      `${file} is a link, no text, or too large to be read`,
      "commit it as a plain text file",
    ),
  );
  return { sources, problems };
}

function readConventions(source: Source | undefined): KnowledgePart<readonly Convention[]> {
  const { accepted, waiting, problems } = parseConventions(source?.text ?? "");
  return {
    value: accepted,
    problems: problems.map(({ line, message }) =>
      buildUsageError(
        "conventions.invalid",
        `${conventionsFile}:${line}: ${message}`,
        "correct the line and commit it",
      ),
    ),
    notes: waiting.map(
      (name) => `the convention ${JSON.stringify(name)} is told to nobody: no human has accepted it`,
    ),
  };
}
