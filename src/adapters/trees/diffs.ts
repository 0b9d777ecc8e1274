// What differs between two pinned trees, from git's objects alone. `--text` makes git compare everything as text: neither an
// attribute nor a NUL byte can make it say only that binary files differ.
import { parseChanges } from "../../core/text/diff/raw.ts";
import { Failure } from "../../ports/failure.ts";
import type { TreeDiffs, TreeHome } from "../../ports/record/trees.ts";
import type { Processes } from "../../ports/system/process.ts";
import { createGit, getTreeRoot, isId } from "./run.ts";

const asText = ["--text", "--no-textconv", "--no-ext-diff", "--no-color", "--full-index"];
/** More than anybody reads in one file. */
const maxPatch = 16 * 1024 * 1024;

export function createGitTreeDiffs({ processes }: { readonly processes: Processes }): TreeDiffs {
  const gitAt = (home: TreeHome) => createGit(getTreeRoot(home), processes, process.env);
  return {
    async changes(home, from, to) {
      if (!isId(from) || !isId(to)) return [];
      const args = ["diff-tree", "-r", "-M", "-z", "--raw", "--numstat", ...asText, from, to];
      return parseChanges(await gitAt(home)(args));
    },
    async patch(home, { from, to }, file, context) {
      if (!isId(from) || !isId(to)) return { kind: "text", latin1: "" };
      const args = ["diff-tree", "-r", "-p", "-M", `-U${context}`, ...asText, from, to, "--"];
      const paths = [file.path, ...(file.from === undefined ? [] : [file.from])];
      try {
        return { kind: "text", latin1: await gitAt(home)([...args, ...paths], "", "latin1", maxPatch) };
      } catch (error) {
        if (error instanceof Failure && error.code === "process.too-much-output") return { kind: "large" };
        throw error;
      }
    },
    async sizes(home, ids) {
      const asked = ids.map((id) => (isId(id) ? id : "-")).join("\n");
      const told = await gitAt(home)(["cat-file", "--batch-check=%(objectsize)"], `${asked}\n`);
      return told
        .trimEnd()
        .split("\n")
        .map((line) => (/^\d+$/.test(line) ? Number(line) : null));
    },
  };
}
