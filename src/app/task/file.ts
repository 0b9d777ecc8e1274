// The task of a bubble: a file, or the words themselves. A mistyped path must not become a task by accident.
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { clip, keepStart } from "../../core/model/value/sizes.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { findUnclosedBlock } from "../../core/text/markdown.ts";
import { buildUnclosedError } from "../files/unclosed.ts";
import { buildUsageError } from "../host/usage.ts";
import { parseCriteria, parseTitle } from "./criteria.ts";

export interface Task {
  readonly title: string;
  readonly text: string;
  readonly criteria: readonly string[];
  /** The file it was read from. */
  readonly path?: string;
}

const titleLimit = 300;
const criterionLimit = 2000;
const sizeLimit = 1_000_000;

/** Reads the task and its acceptance criteria; `--criterion` adds to those in the text. */
export function readTask(fileOrText: string, cwd: string, criteria: readonly string[] = []): Task {
  const path = findFileAt(fileOrText, cwd);
  const text = path ? getText(path) : fileOrText;
  const title = parseTitle(text);
  if (title === "")
    throw buildUsageError(
      "task.empty",
      path ? `${path} says nothing` : "the task is empty",
      'pairflow bubble create --task "what is to be done"',
    );
  const open = findUnclosedBlock(text);
  if (open) throw buildUnclosedError("task.unclosed", path ?? "the task", open);
  return {
    title: clip(title, titleLimit),
    text,
    criteria: listAllCriteria(text, criteria),
    ...(path ? { path } : {}),
  };
}

/** The file that is meant; undefined when the value is the task itself. */
function findFileAt(value: string, cwd: string): string | undefined {
  if (value.trim() === "" || /[\n\0]/.test(value)) return undefined;
  const path = resolve(cwd, value);
  const stat = tryOr(() => statSync(path, { throwIfNoEntry: false }), undefined);
  if (stat?.isFile() || stat?.isFIFO()) return path;
  if (stat && !/\s/.test(value))
    throw buildUsageError(
      "task.not-a-file",
      `${value} is not a file`,
      "name a Markdown or text file, or write the task itself in quotes",
    );
  if (looksLikePath(value))
    throw buildUsageError(
      "task.no-such-file",
      `${value} looks like a file, but there is none at ${path}`,
      "check the path; if it is the task itself, say it in a sentence",
    );
  return undefined;
}

/** One word with a slash or a text file's ending; or anything that begins like a path and ends like a file. */
function looksLikePath(value: string): boolean {
  const ending = /\.(md|markdown|txt)$/i.test(value);
  return /\s/.test(value) ? ending && /^(~|\.{0,2})\//.test(value) : ending || value.includes("/");
}

function getText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.length > sizeLimit)
    throw buildUsageError(
      "task.too-large",
      `${path} is larger than 1 MB`,
      "give the task in a page, and name the large file in it",
    );
  if (bytes.includes(0)) throw buildUsageError("task.not-text", `${path} is not a text file`);
  return bytes.toString("utf8");
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw buildUsageError("task.unreadable", `${path} cannot be read: ${(error as Error).message}`);
  }
}

function listAllCriteria(text: string, given: readonly string[]): string[] {
  const { list, section } = parseCriteria(text);
  if (section && list.length === 0)
    throw buildUsageError(
      "task.no-list",
      'the section "Acceptance criteria" holds no list',
      "write one criterion a line, each beginning with -",
    );
  const all = [...list, ...given.map((criterion) => criterion.trim())];
  if (all.includes(""))
    throw buildUsageError("task.empty-criterion", "a criterion is empty", '--criterion "what must hold"');
  const long = all.find((criterion) => criterion.length > criterionLimit);
  if (long)
    throw buildUsageError(
      "task.long-criterion",
      `a criterion has more than ${criterionLimit} characters: ${keepStart(long, 60)}…`,
      "split it",
    );
  return [...new Set(all)];
}
