// The record from its first byte, for whoever grants, starts or signs: the log itself, and what lies beside it.
import { type Folded, loadGood } from "../../engine/handle/handle.ts";
import type { RecordWorld } from "../../engine/world/world.ts";
import { troubleFailure } from "../../ports/log.ts";
import { cutEnd } from "../verify/beyond.ts";

/** What the good part says, and why that is not all. */
export async function readWhole(world: RecordWorld, repo: string, bubble: string): Promise<Folded> {
  const folded = await loadGood(world, bubble, true);
  if (folded.trouble) return folded;
  const trouble = await cutEnd(world, repo, bubble, folded.state);
  if (!trouble) return folded;
  // A command may have continued meanwhile: then what lies there is not beyond the log any more.
  const again = await loadGood(world, bubble, true);
  const still = again.trouble ?? (await cutEnd(world, repo, bubble, again.state));
  return still ? { ...again, trouble: still } : again;
}

/** The same for whoever acts: throws `log.damaged` or `log.newer`. */
export async function loadWhole(world: RecordWorld, repo: string, bubble: string): Promise<Folded> {
  const folded = await readWhole(world, repo, bubble);
  if (folded.trouble) throw troubleFailure(bubble, folded.trouble);
  return folded;
}
