// What the commands about a project's knowledge have in common: which repository, which commit, and what the
// working copy holds beside it.

import { requireRepo } from "../../app/host/locate.ts";
import { findKnowledgeBase, type KnowledgeBase, listUncommittedKnowledge } from "../../app/knowledge/base.ts";
import { createWorld } from "../../app/world/world.ts";
import type { World } from "../../engine/front/world.ts";
import { bubbleFlags } from "../verb/agent-flags.ts";
import type { Shell } from "../verb/declaration.ts";

export const knowledgeFlags = {
  repo: bubbleFlags.repo,
  base: {
    kind: "text",
    value: "<branch>",
    about: "the branch to read from; the checked-out one if left out",
  },
} as const;

export interface KnowledgeRequest {
  readonly world: World;
  readonly repo: string;
  readonly base: KnowledgeBase;
}

/** The commit that is meant; says which of its files are not committed as they stand in the working copy. */
export async function findAskedBase(
  shell: Shell,
  flags: { readonly repo?: string; readonly base?: string },
): Promise<KnowledgeRequest> {
  const repo = requireRepo(flags.repo, shell.cwd, shell.env);
  const world = createWorld(repo, "process");
  const base = await findKnowledgeBase(world, repo, flags.base);
  const open = flags.base === undefined && !shell.json ? await listUncommittedKnowledge(repo) : [];
  if (open.length > 0) shell.say(`Not committed, so it does not count yet: ${open.join(", ")}`);
  return { world, repo, base };
}

/** `main (1a2b3c4)` */
export const formatBase = ({ name, commit }: KnowledgeBase): string => `${name} (${commit.slice(0, 7)})`;
