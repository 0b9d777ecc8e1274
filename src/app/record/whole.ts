// The record from its first byte, for whoever grants, starts or signs: the log itself, and what lies beside it.
import { type FoldedLog, loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { toTroubleFailure } from "../../ports/record/log.ts";
import { findCutEnd, listBesideLog } from "../verify/cut-off.ts";

/** What the good part says, and why that is not all. */
export async function readWhole(world: RecordWorld, repo: string, bubble: string): Promise<FoldedLog> {
  const beside = await listBesideLog(world, repo, bubble);
  const folded = await loadGood(world, bubble, true);
  if (folded.trouble) return folded;
  const trouble = await findCutEnd(world, bubble, beside, folded.state);
  return trouble ? { ...folded, trouble } : folded;
}

/** The same for whoever acts: throws `log.damaged` or `log.newer`. */
export async function loadWhole(world: RecordWorld, repo: string, bubble: string): Promise<FoldedLog> {
  const folded = await readWhole(world, repo, bubble);
  if (folded.trouble) throw toTroubleFailure(bubble, folded.trouble);
  return folded;
}
