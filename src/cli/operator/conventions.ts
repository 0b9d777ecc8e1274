// What the commands about conventions have in common: the project, and the reminder that only a commit counts.

import { grantingDoor } from "../../app/caller/guard.ts";
import { repoOf } from "../../app/host/locate.ts";
import { type Deciding, decide, newestTurns, type Outcome } from "../../app/world/conventions.ts";
import { worldOf } from "../../app/world/world.ts";
import type { Via } from "../../core/model/payloads.ts";
import type { World } from "../../engine/world/world.ts";
import { usage } from "../verb/outcome.ts";
import { bubbleFlags } from "../verb/spoken-flags.ts";
import type { Shell } from "../verb/verb.ts";

export const conventionFlags = { repo: bubbleFlags.repo } as const;

export const conventionsToCommit =
  "git add -f .pairflow/conventions.ndjson && git commit -m conventions .pairflow/conventions.ndjson";

interface Asking {
  readonly repo?: string;
  readonly reason?: string;
}

export function projectWorld(shell: Shell, flags: Asking): World {
  return worldOf(repoOf(flags.repo, shell.cwd, shell.env), "process");
}

/** The door of a person who grants something for the whole project. */
export async function projectDoor(world: World, key: string | undefined): Promise<Via> {
  return grantingDoor(world.repo, key, await newestTurns(world)).via;
}

/** Decides about the convention that the words of the line name. */
export async function decideNamed(
  world: World,
  verb: string,
  words: readonly string[],
  how: { readonly via: Via; readonly reason: string | undefined; readonly deciding: Deciding },
): Promise<Outcome> {
  const [name, ...others] = words;
  if (name === undefined || name.trim() === "")
    throw usage("usage.missing-word", `conventions ${verb} needs a name`, "pairflow conventions list");
  if (others.length > 0)
    throw usage(
      "usage.extra-word",
      `conventions ${verb} takes one name; put it in quotes`,
      `pairflow conventions ${verb} "${words.join(" ").replaceAll(/["$`\\]/g, "")}"`,
    );
  return decide(world, name, how);
}
