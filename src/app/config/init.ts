// Preparing a repository: the folder, what git shall ignore of it, and a configuration to fill in. Done twice it
// changes nothing the second time.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

export const configExample = `# What the bubbles of this project have in common. A bubble reads it from its base commit, so commit it.
# Everything is optional; take away a "# " to set it. pairflow doctor checks this file.

# How agents are run, by name. Codex and Claude Code need nothing here; every adapter and setting: docs/agents.md
# agents:
#   codex:
#     adapter: codex
#     model: gpt-5.5
#   claude:
#     adapter: claude
#     model: opus
#   mine:
#     adapter: command
#     command: my-agent

# What a new bubble starts with; flags of pairflow bubble create win over it.
# defaults:
#   agents:
#     implementer: codex
#     reviewer: claude
#   max_rounds: 8
#   budget:
#     max_tokens: 5000000
#     max_minutes: 240
#     max_usd: off
#   watchdog_timeout_minutes: 5
#   setup: npm ci
#   commands:
#     test: npm test
#   scope:
#     do_not_touch: ["infra/**"]
`;

export interface InitResult {
  readonly repo: string;
  /** What was done, one sentence each; empty when all was there. */
  readonly did: readonly string[];
  /** Files to commit. */
  readonly toCommit: readonly string[];
}

/** Makes what is missing. `isPrivate` keeps the ignore rules out of the project's own .gitignore. */
export function initialise(repo: string, isPrivate: boolean): InitResult {
  const did: string[] = [];
  const toCommit: string[] = [];
  const folder = join(repo, ".pairflow");
  const config = join(repo, projectFile);
  const ignoreFile = isPrivate ? join(".git", "info", "exclude") : ".gitignore";
  writeOrFail(folder, () => {
    if (!existsSync(folder)) did.push("made .pairflow/");
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(folder, "runtime"), { recursive: true, mode: 0o700 });
  });
  writeOrFail(join(repo, ignoreFile), () => {
    const added = addRules(join(repo, ignoreFile));
    if (added === 0) return;
    did.push(`wrote ${added} lines into ${ignoreFile}`);
    if (!isPrivate) toCommit.push(ignoreFile);
  });
  writeOrFail(config, () => {
    if (existsSync(config)) return;
    writeFileSync(config, configExample);
    did.push(`made ${projectFile}, with every line commented out`);
    toCommit.push(projectFile);
  });
  return { repo, did, toCommit };
}

/** Adds the rules that are missing, in their order; returns how many lines were written. */
function addRules(path: string): number {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const missing = lines.includes(ignoreRules[0])
    ? ignoreRules.filter((rule) => !lines.includes(rule))
    : ignoreRules;
  if (missing.length === 0) return 0;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === "" ? "" : text.endsWith("\n") ? end : end + end;
  const block = ["# Pairflow: records stay on this machine, project knowledge is committed.", ...missing];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}${gap}${block.join(end)}${end}`);
  return block.length;
}

/** Other rules that undo these, or hide what shall be committed. */
export async function ignoreNotes(repo: string): Promise<string[]> {
  const notes: string[] = [];
  if ((await isIgnored(repo, ".pairflow/bubbles/x")) === false) {
    notes.push(
      "git does not ignore .pairflow/bubbles; another rule undoes it: git check-ignore -v .pairflow/bubbles/x",
    );
  }
  if (await isIgnored(repo, projectFile)) {
    notes.push(
      `git ignores ${projectFile}, so it cannot be committed; see: git check-ignore -v ${projectFile}`,
    );
  }
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
