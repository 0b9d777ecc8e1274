// The files that a claim refers to: named where they lie in the worktree, else as their content. The caller that says the claim
// reads them: a driver must not read a path that somebody in a sandbox names.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { refuse } from "../../core/model/refusal.ts";
import type { HandedRef } from "../../core/model/sandbox-claim.ts";
import type { RecordWorld } from "../../engine/front/world.ts";

export function resolveHandedRefs(
  refs: readonly string[],
  cwd: string,
  worktree: string | undefined,
): HandedRef[] {
  const root = worktree === undefined ? undefined : realpathSync(worktree);
  return refs.map((ref) => {
    if (ref.startsWith("artifact://")) return { artifact: ref };
    const path = resolve(cwd, ref);
    if (!existsSync(path))
      throw refuse("ref.not-found", `there is no file ${ref}`, "give the path of a file, or leave --ref out");
    if (!statSync(path).isFile())
      throw refuse("ref.not-found", `${ref} is not a file`, "give the path of each file, or leave --ref out");
    const real = realpathSync(path);
    if (root !== undefined && real.startsWith(`${root}/`)) return { inside: real };
    return { name: basename(path), base64: readFileSync(path).toString("base64") };
  });
}

/** The worktree around a folder, where nothing but its files can be seen. */
export function findEnclosingWorktree(cwd: string): string | undefined {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Paths inside the worktree are named; other files are kept, so that the record does not point at what may vanish. */
export async function keepRefs(
  world: RecordWorld,
  bubble: string,
  worktree: string | undefined,
  refs: readonly HandedRef[],
): Promise<string[]> {
  const kept: string[] = [];
  for (const ref of refs) kept.push(await keep(world, bubble, worktree, ref));
  return kept;
}

async function keep(
  world: RecordWorld,
  bubble: string,
  worktree: string | undefined,
  ref: HandedRef,
): Promise<string> {
  if ("artifact" in ref) {
    if (await world.records.get(bubble, ref.artifact.slice(11))) return ref.artifact;
    throw refuse("ref.not-found", `there is no artifact ${ref.artifact}`, "give the path of a file");
  }
  if ("inside" in ref) {
    const root = worktree === undefined ? undefined : `${realpathSync(worktree)}/`;
    if (root !== undefined && ref.inside.startsWith(root) && resolve(ref.inside) === ref.inside)
      return `worktree://${ref.inside.slice(root.length)}`;
    throw refuse(
      "ref.not-found",
      `${ref.inside} is not in the worktree`,
      "give the path of a file of the worktree",
    );
  }
  const bytes = Buffer.from(ref.base64, "base64");
  return `artifact://${(await world.records.put(bubble, `refs/${basename(ref.name)}`, bytes)).name}`;
}
