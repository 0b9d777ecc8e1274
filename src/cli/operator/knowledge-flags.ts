// What the commands about a project's knowledge have in common: which repository, which commit, and what the
// working copy holds beside it.

import { repoOf } from "../../app/host/locate.ts";
import { type Base, baseOf, uncommitted } from "../../app/knowledge/base.ts";
import { worldOf } from "../../app/world/world.ts";
import type { World } from "../../engine/world/world.ts";
import { bubbleFlags } from "../verb/spoken-flags.ts";
import type { Shell } from "../verb/verb.ts";

export const knowledgeFlags = {
  repo: bubbleFlags.repo,
  base: {
    kind: "text",
    value: "<branch>",
    about: "the branch to read from; the checked-out one if left out",
  },
} as const;

export interface Asked {
  readonly world: World;
  readonly repo: string;
  readonly base: Base;
}

/** The commit that is meant; says which of its files are not committed as they stand in the working copy. */
export async function askedBase(
  shell: Shell,
  flags: { readonly repo?: string; readonly base?: string },
): Promise<Asked> {
  const repo = repoOf(flags.repo, shell.cwd, shell.env);
  const world = worldOf(repo, "process");
  const base = await baseOf(world, repo, flags.base);
  const open = flags.base === undefined && !shell.json ? await uncommitted(repo) : [];
  if (open.length > 0) shell.say(`Not committed, so it does not count yet: ${open.join(", ")}`);
  return { world, repo, base };
}

/** `main (1a2b3c4)` */
export const baseText = ({ name, commit }: Base): string => `${name} (${commit.slice(0, 7)})`;
