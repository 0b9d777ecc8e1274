// What the commands about conventions have in common: the project, and the reminder that only a commit counts.
import { requireGrantingDoor } from "../../app/caller/guard.ts";
import { requireRepo } from "../../app/host/locate.ts";
import { buildUsageError } from "../../app/host/usage.ts";
import {
  type ConventionResult,
  type DecideConvention,
  decideConvention,
  listNewestTurns,
} from "../../app/world/conventions.ts";
import { createWorld } from "../../app/world/world.ts";
import type { Via } from "../../core/model/record/payloads/parts.ts";
import type { World } from "../../engine/front/world.ts";
import { bubbleFlags } from "../verb/agent-flags.ts";
import type { Shell } from "../verb/declaration.ts";

export const conventionFlags = { repo: bubbleFlags.repo } as const;

export const conventionsToCommit =
  "git add -f .pairflow/conventions.ndjson && git commit -m conventions .pairflow/conventions.ndjson";

interface Asking {
  readonly repo?: string;
  readonly reason?: string;
}

export function createProjectWorld(shell: Shell, flags: Asking): World {
  return createWorld(requireRepo(flags.repo, shell.cwd, shell.env), "process");
}

/** The door of a person who grants something for the whole project. */
export async function requireProjectDoor(world: World, key: string | undefined): Promise<Via> {
  return requireGrantingDoor(world.repo, key, await listNewestTurns(world)).via;
}

/** Decides about the convention that the words of the line name. */
export async function decideNamed(
  world: World,
  verb: string,
  words: readonly string[],
  how: { readonly via: Via; readonly reason: string | undefined; readonly deciding: DecideConvention },
): Promise<ConventionResult> {
  const [name, ...others] = words;
  if (name === undefined || name.trim() === "")
    throw buildUsageError(
      "usage.missing-word",
      `conventions ${verb} needs a name`,
      "pairflow conventions list",
    );
  if (others.length > 0)
    throw buildUsageError(
      "usage.extra-word",
      `conventions ${verb} takes one name; put it in quotes`,
      `pairflow conventions ${verb} "${words.join(" ").replaceAll(/["$`\\]/g, "")}"`,
    );
  return decideConvention(world, name, how);
}
