// Preparing a repository: the folder, what git shall ignore of it, and a first configuration. Done twice it changes nothing
// the second time.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import { Failure } from "../../ports/failure.ts";
import { isIgnored } from "../host/git-questions.ts";
import { projectFile } from "./project.ts";

/** Records stay on this machine; what the project knows is meant to be committed. */
export const ignoreRules = [
  ".pairflow/*",
  "!.pairflow/config.yaml",
  "!.pairflow/sops/",
  "!.pairflow/constitution.md",
  "!.pairflow/conventions.ndjson",
  "!.pairflow/plans/",
  "!.pairflow/workflows/",
] as const;

/** The same for the folder itself, which says them to git where nobody has prepared the repository; nor is this file shown. */
const ownRules = ignoreRules.map((rule) => rule.replace(".pairflow/", "/"));

/**
 * Whoever tries a bubble before `pairflow init` still has a clean `git status`. Where nothing can be written, what is to be done
 * in this folder will say so itself.
 */
export function hideRecords(repo: string): void {
  const file = join(repo, ".pairflow", ".gitignore");
  tryOr(() => {
    if (existsSync(file) || !existsSync(join(repo, ".git"))) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      [
        "# Made by Pairflow: records stay on this machine, project knowledge is committed.",
        ...ownRules,
        "",
      ].join("\n"),
      { flag: "wx" },
    );
  }, undefined);
}

export interface InitResult {
  readonly repo: string;
  /** What was done, one sentence each; empty when all was there. */
  readonly did: readonly string[];
  /** Files to commit. */
  readonly toCommit: readonly string[];
}

export interface InitOptions {
  /** Keeps the ignore rules out of the project's own .gitignore. */
  readonly isPrivate: boolean;
  /** The configuration, where there is none yet. */
  readonly config: string;
}

interface Step {
  /** What it does, for a plan, and what it has done. */
  readonly does: string;
  readonly says: string;
  readonly path: string;
  /** A file of the project that belongs into a commit. */
  readonly commits?: string;
  apply(): void;
}

/** What is missing here, in the order in which it is made. */
export function planInitialisation(repo: string, { isPrivate, config }: InitOptions): readonly Step[] {
  const file = join(repo, projectFile);
  const ignoreFile = isPrivate ? join(".git", "info", "exclude") : ".gitignore";
  const rules = writeOrFail(join(repo, ignoreFile), () => buildRules(join(repo, ignoreFile)));
  return [
    ...(rules
      ? [
          {
            does: `write ${rules.lines} lines into ${ignoreFile}`,
            says: `wrote ${rules.lines} lines into ${ignoreFile}`,
            path: join(repo, ignoreFile),
            ...(isPrivate ? {} : { commits: ignoreFile }),
            apply: rules.write,
          },
        ]
      : []),
    ...(existsSync(file)
      ? []
      : [
          {
            does: `make ${projectFile}`,
            says: `made ${projectFile}`,
            path: file,
            commits: projectFile,
            apply: () => writeFileSync(file, config),
          },
        ]),
  ];
}

/** Makes what is missing. */
export function initialise(repo: string, options: InitOptions): InitResult {
  const steps = planInitialisation(repo, options);
  const folder = join(repo, ".pairflow");
  writeOrFail(folder, () => makeFolder(folder));
  for (const { path, apply } of steps) writeOrFail(path, apply);
  const toCommit = steps.flatMap(({ commits }) => commits ?? []);
  return { repo, did: steps.map(({ says }) => says), toCommit };
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(folder, "runtime"), { recursive: true, mode: 0o700 });
}

/** The rules that are missing, in their order; undefined where all are there. */
function buildRules(path: string): { readonly lines: number; write(): void } | undefined {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const missing = lines.includes(ignoreRules[0])
    ? ignoreRules.filter((rule) => !lines.includes(rule))
    : ignoreRules;
  if (missing.length === 0) return undefined;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
  const block = ["# Pairflow: records stay on this machine, project knowledge is committed.", ...missing];
  return {
    lines: block.length,
    write: () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${text}${gap}${block.join(end)}${end}`);
    },
  };
}

/** Other rules that undo these, or hide what shall be committed. */
export async function ignoreNotes(repo: string): Promise<string[]> {
  const notes: string[] = [];
  if ((await isIgnored(repo, ".pairflow/bubbles/x")) === false)
    notes.push(
      "git does not ignore .pairflow/bubbles; another rule undoes it: git check-ignore -v .pairflow/bubbles/x",
    );
  if (await isIgnored(repo, projectFile))
    notes.push(
      `git ignores ${projectFile}, so it cannot be committed; see: git check-ignore -v ${projectFile}`,
    );
  return notes;
}

/** Does it, or throws what a person can act on. */
export function writeOrFail<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw new Failure("init.failed", `${path} could not be written: ${(cause as Error).message}`, {
      hint: "Is the repository writable for you (ls -ld shows its owner), and the disk not full?",
      cause,
    });
  }
}
