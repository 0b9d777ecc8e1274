// What differs between two trees: as a list for rules, as text for readers. Both come from git alone and
// ignore the trees' own .gitattributes, with which an author could declare a text binary and so hide it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChangedFile } from "../../../core/model/record/payloads/parts.ts";
import { type Change, parseChanges } from "../../../core/text/diff/raw.ts";
import { Failure } from "../../../ports/failure.ts";
import { type Dirs, type Kit, runGit } from "./runner.ts";

export const gitlinkMode = "160000";
const maxDiffBytes = 20 * 1024 * 1024;

/** The changed files, sorted by path as git sorts them; renames are found. */
export async function listChanges(kit: Kit, gitDir: string, from: string, to: string): Promise<Change[]> {
  const args = ["diff-tree", "-r", "-M", "-z", "--raw", "--numstat", "--no-textconv", from, to];
  return parseChanges(await runGit(kit, createAttributelessDirs(kit, gitDir), args));
}

/** Only what the record keeps of a change. */
export function dropModes({ oldMode, newMode, oldId, newId, ...file }: Change): ChangedFile {
  return file;
}

/** The change as text. Over 20 MB it is one sentence that says so, since nobody reads that much. */
export async function readDiffText(kit: Kit, gitDir: string, from: string, to: string): Promise<string> {
  try {
    return await runGit(kit, createAttributelessDirs(kit, gitDir), listPatchArgs(from, to), {
      maxBytes: maxDiffBytes,
    });
  } catch (error) {
    if (!(error instanceof Failure && error.code === "process.too-much-output")) throw error;
    return `The difference is larger than 20 MB and is not shown; read it with: git diff ${from} ${to}\n`;
  }
}

/** The change as a patch that `git apply` takes, bytes that are no UTF-8 included. */
export async function describePatch(kit: Kit, gitDir: string, from: string, to: string): Promise<string> {
  const dirs = createAttributelessDirs(kit, gitDir);
  const patch = await runGit(kit, dirs, [...listPatchArgs(from, to), "--binary"]);
  if (!patch.includes("\uFFFD")) return patch;
  // Some text was no UTF-8 and did not survive being read: everything as binary, in plain ASCII.
  const attributes = join(kit.runtimeDir, "all-binary.attributes");
  writeFileSync(attributes, "* -diff\n");
  return runGit(kit, dirs, [
    "-c",
    `core.attributesFile=${attributes}`,
    ...listPatchArgs(from, to),
    "--binary",
  ]);
}

function listPatchArgs(from: string, to: string): string[] {
  return [
    "diff-tree",
    "-r",
    "-p",
    "-M",
    "--full-index",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    from,
    to,
  ];
}

/** Beside the trees there is no worktree and no index, hence no attributes. */
function createAttributelessDirs(kit: Kit, gitDir: string): Dirs {
  mkdirSync(kit.runtimeDir, { recursive: true, mode: 0o700 });
  return { gitDir, workTree: kit.runtimeDir, index: join(kit.runtimeDir, "no.index") };
}
