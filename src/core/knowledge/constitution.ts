// What a project holds to, by sections: the root's, then each folder's on the way to the changed files, then the
// task's. Purpose and Background of the nearer one replace, everything else adds up. Standards are for critics.
import * as v from "valibot";
import { type MarkdownSection, splitSections } from "./markdown/sections.ts";

export const ConstitutionLevel = v.strictObject({
  file: v.string(),
  /** The folder below which it applies; empty: the whole repository. */
  folder: v.string(),
  sections: v.array(v.strictObject({ name: v.string(), text: v.string() })),
});
export type ConstitutionLevel = v.InferOutput<typeof ConstitutionLevel>;

/** One section as it is told, each part with where it comes from. */
export interface Article {
  readonly name: string;
  readonly parts: readonly { readonly from: string; readonly folder: string; readonly text: string }[];
}

export const rootConstitution = ".pairflow/constitution.md";
const standards = "Standards";
const replaced = ["Purpose", "Background"];
const named = [...replaced, "Rules", standards];
/** What a file says before its first section. */
const introduction = "Introduction";
export const fromTask = "the task";

export const isStandards = (name: string): boolean => name === standards;

/** Whether a path is a constitution's: the project's own, or a folder's outside .pairflow. */
export function isConstitution(path: string): boolean {
  if (path === rootConstitution) return true;
  return /(?:^|\/)constitution\.md$/.test(path) && !path.startsWith(".pairflow/");
}

/** A constitution file, cut into its sections. */
export function parseConstitution(file: string, text: string): ConstitutionLevel {
  const folder = file === rootConstitution ? "" : file.slice(0, Math.max(0, file.lastIndexOf("/")));
  const found = splitSections(text);
  const title = found.find(({ name, level }) => level === 1 && !named.includes(normalizeSectionName(name)));
  const sections = found
    .map((section) => ({
      name: section.level === 0 || section === title ? introduction : normalizeSectionName(section.name),
      text: section.text,
    }))
    .filter((section) => section.text !== "");
  return { file, folder, sections };
}

/** Root before folders, outer before inner: the order in which they are merged. */
export function sortConstitutionLevels(levels: readonly ConstitutionLevel[]): ConstitutionLevel[] {
  const key = ({ file, folder }: ConstitutionLevel) => (file === rootConstitution ? "" : `1/${folder}/`);
  return [...levels].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/**
 * Merges what applies to these files. As long as no file is known every folder counts: the work may go anywhere. Of
 * the task only the four sections count that a constitution has; the rest of it is the task itself.
 */
export function mergeConstitution(
  levels: readonly ConstitutionLevel[],
  { files, task }: { readonly files: readonly string[]; readonly task: string },
): Article[] {
  const chain = sortConstitutionLevels(levels).filter((level) => isApplicable(level, files));
  const all = [...chain, { file: fromTask, folder: "", sections: listSectionsOfTask(task) }];
  const names = new Set([
    introduction,
    ...named,
    ...all.flatMap((level) => level.sections.map(({ name }) => name)),
  ]);
  const articles = [...names].map((name) => buildArticle(name, all, files));
  return articles.filter(({ parts }) => parts.length > 0);
}

/** The task without what only critics may know of it. */
export function removeStandards(task: string): string {
  const kept = splitSections(task).filter(
    (section) => !(isTaskSection(section) && isStandards(normalizeSectionName(section.name))),
  );
  return kept.map(({ source }) => source).join("");
}

/** A task's title is of the first level, and may well be "Standards". */
const isTaskSection = ({ name, level }: MarkdownSection): boolean =>
  level === 2 && named.includes(normalizeSectionName(name));

function listSectionsOfTask(task: string): { name: string; text: string }[] {
  const counting = splitSections(task).filter((section) => isTaskSection(section) && section.text !== "");
  return counting.map(({ name, text }) => ({ name: normalizeSectionName(name), text }));
}

function buildArticle(name: string, levels: readonly ConstitutionLevel[], files: readonly string[]): Article {
  const having = levels.filter((level) => level.sections.some((section) => section.name === name));
  const told = replaced.includes(name) ? listNearest(having, files) : having;
  return {
    name,
    parts: told.map((level) => ({ from: level.file, folder: level.folder, text: getText(level, name) })),
  };
}

/** For each file the level nearest to it, each once; the task's stands over all. */
function listNearest(having: readonly ConstitutionLevel[], files: readonly string[]): ConstitutionLevel[] {
  const last = having.at(-1);
  if (!last || last.file === fromTask) return last ? [last] : [];
  if (files.length === 0) return listLeaves(having);
  const nearest = new Set(files.map((file) => having.findLast((level) => isApplicable(level, [file]))));
  return having.filter((level) => nearest.has(level));
}

/** Nobody knows the files yet: of two levels for the same folder the later one counts. */
function listLeaves(having: readonly ConstitutionLevel[]): ConstitutionLevel[] {
  return having.filter((level, i) => !having.some((later, j) => j > i && later.folder === level.folder));
}

function getText(level: ConstitutionLevel, name: string): string {
  const parts = level.sections.filter((section) => section.name === name);
  return parts.map(({ text }) => text).join("\n\n");
}

function isApplicable({ folder }: ConstitutionLevel, files: readonly string[]): boolean {
  return folder === "" || files.length === 0 || files.some((file) => file.startsWith(`${folder}/`));
}

/** `## standards:` is the section Standards. */
function normalizeSectionName(name: string): string {
  const plain = name.replace(/[*_`]/g, "").replace(/:$/, "").trim();
  return named.find((word) => word.toLowerCase() === plain.toLowerCase()) ?? plain;
}
