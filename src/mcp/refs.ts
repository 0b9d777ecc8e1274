// Which files a call may refer to. This server runs outside the agent's sandbox, so it must not become a way to read
// what the sandbox hides: the worktree and the turn's own folder for files, nothing else.
import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { getOutFolder } from "../app/host/locate.ts";
import { refuse } from "../core/model/refusal.ts";
import { tryOr } from "../core/model/value/try-or.ts";

/** The files by their real paths; refuses what lies elsewhere, also by a link. Artifacts of the bubble are named freely. */
export function resolveRefs(refs: readonly string[], worktree: string, turn: string): string[] {
  const out = getOutFolder(worktree, turn);
  const allowed = [worktree, out].map(toRealPath);
  return refs.map((ref) => {
    if (ref.startsWith("artifact://")) return ref;
    const path = toRealPath(resolve(worktree, ref));
    if (!statSync(path, { throwIfNoEntry: false })?.isFile())
      throw refuse("ref.not-found", `there is no file ${ref}`, "give the path of a file, or leave refs out");
    if (!allowed.some((folder) => path.startsWith(folder + sep)))
      throw refuse(
        "ref.outside",
        `${ref} is neither in the worktree nor in ${out}`,
        `copy it to ${out} first`,
      );
    return path;
  });
}

/** The path without links; as it is where there is nothing. */
function toRealPath(path: string): string {
  return tryOr(() => realpathSync(path), path);
}
