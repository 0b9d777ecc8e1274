// Work without a driver: bubbles whose driver died, and processes whose bubble is over.
import { createNodeProcesses } from "../../../adapters/process/node.ts";
import { measureAheadMs } from "../../../core/model/value/time.ts";
import { isDriverMarker } from "../../../engine/front/world.ts";
import { type Check, reportWarning } from "../../host/check.ts";
import { computeRepoTag } from "../../host/repositories/names.ts";
import { hasEnded, type ListedBubble } from "../../record/listing.ts";

export function checkUndriven(bubbles: readonly ListedBubble[]): Check[] {
  return bubbles
    .filter(({ driven }) => driven === false)
    .map(({ id, summary }) =>
      reportWarning(
        "driver",
        `${id} is ${summary?.state ?? "under way"}, but its driver is gone`,
        `pairflow bubble resume --id ${id}`,
      ),
    );
}

/** Records whose newest line lies in the future: the clock of this machine was ahead, or is behind. */
export function checkAhead(bubbles: readonly ListedBubble[], now: string): Check[] {
  return bubbles
    .filter((bubble) => !hasEnded(bubble) && measureAheadMs(bubble.summary?.last_command_at ?? "", now) > 0)
    .map(({ id, summary }) =>
      reportWarning(
        "clock",
        `the record of ${id} continues to ${summary?.last_command_at}, which is in the future by the clock of this machine`,
        "date; timedatectl",
      ),
    );
}

/** Processes that carry this repository's marker for a bubble that has ended or never was. */
export async function checkLostProcesses(repo: string, bubbles: readonly ListedBubble[]): Promise<Check[]> {
  const open = new Set(bubbles.filter((bubble) => !hasEnded(bubble)).map(({ id }) => id));
  const marked = await createNodeProcesses().find(`${computeRepoTag(repo)}/*`);
  const lost = marked.filter(({ work }) => !open.has(getBubble(work)));
  return [...new Set(lost.map(({ work }) => getBubble(work)))].map((bubble) => {
    const pids = lost.filter(({ work }) => getBubble(work) === bubble).map(({ pid }) => pid);
    return reportWarning(
      "process",
      `${pids.length === 1 ? "a process works" : `${pids.length} processes work`} for ${bubble}, which is over`,
      `kill ${pids.join(" ")}`,
    );
  });
}

/** `<tag>/<bubble>/<work>`, or `<tag>/-driver/<bubble>`. */
function getBubble(marker: string): string {
  const [, bubble = "", rest = ""] = marker.split("/");
  return isDriverMarker(marker) ? rest : bubble;
}
