// A scratch copy of this repository, in which the steps of a page are done as a contributor would do them.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "./steps.ts";

/** Copies what git knows, and links the installed packages. */
export function copyRepository(root: string, to: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of listed.split("\0").filter(Boolean))
    cpSync(join(root, file), join(to, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"));
}

/** Does one step; throws when the page and the tree do not fit together. */
export function applyStep(root: string, step: Step): void {
  if (step.kind === "shell") {
    execFileSync("sh", ["-euc", step.text], { cwd: root });
    return;
  }
  const path = join(root, step.path);
  mkdirSync(dirname(path), { recursive: true });
  if (step.kind === "file") writeFileSync(path, step.text);
  else writeFileSync(path, addLines(readFileSync(path, "utf8"), step));
}

/** Adds the lines with `+` behind the line above them, which must be in the file exactly once. */
function addLines(text: string, { path, text: diff }: Step & { readonly path: string }): string {
  const [first = "", ...added] = diff.trimEnd().split("\n");
  const anchor = first.slice(1);
  const lines = text.split("\n");
  const at = lines.indexOf(anchor);
  if (at < 0 || lines.indexOf(anchor, at + 1) >= 0)
    throw new Error(`${path}: the line "${anchor}" is not there exactly once`);
  const fresh = added.map((line) => {
    if (!line.startsWith("+")) throw new Error(`${path}: only one line, then added ones: ${line}`);
    return line.slice(1);
  });
  return [...lines.slice(0, at + 1), ...fresh, ...lines.slice(at + 1)].join("\n");
}

export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

export function runIn(root: string, program: string, args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}
