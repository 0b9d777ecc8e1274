// All bubbles of a repository: their summaries, and what waits for a person in any of them. Caches are believed
// only while they are as long as their log; a bubble that cannot be read is listed with its problem.
import type { InboxItem } from "../../core/views/bubble/inbox.ts";
import { buildInboxView } from "../../core/views/bubble/inbox.ts";
import { buildSummaryView } from "../../core/views/bubble/summary.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { type LogTrouble, toTroubleFailure } from "../../ports/record/log.ts";
import type { Summary } from "../../ports/record/records.ts";
import { loadState, readGood } from "./bubble.ts";
import { listAskedBelow } from "./questions-below.ts";

export interface ListedBubble {
  readonly id: string;
  readonly summary?: Summary;
  /** Why there is no summary. */
  readonly problem?: string;
  /** Set when that is because its log cannot be built on. */
  readonly trouble?: LogTrouble;
  /** Whether somebody drives it; null where nobody needs to. */
  readonly driven: boolean | null;
  /** The bubble below it whose question holds it up: nobody needs to drive it before that is answered. */
  readonly waits_for?: string;
}

/** What a record says of a bubble, before anybody is asked whether it is driven. */
type Known = Pick<ListedBubble, "summary" | "problem" | "trouble">;

const finalStates = ["DONE", "FAILED", "CANCELLED"];
const drivenStates = ["RUNNING", "PREPARING_WORKSPACE"];

export const hasEnded = (bubble: ListedBubble): boolean => finalStates.includes(bubble.summary?.state ?? "");

/** Every bubble in the order of the ids. One broken record does not hide the others. */
export async function listBubbles(world: RecordWorld): Promise<ListedBubble[]> {
  const known = new Map<string, Known>();
  for (const { id, summary, stale } of await world.records.summaries())
    known.set(id, summary && !stale ? { summary } : await summarize(world, id));
  const active = [...known].flatMap(([id, { summary }]) => (isActive(summary) ? [id] : []));
  const living = await world.runtime.listLiving(active);
  const listed: ListedBubble[] = [];
  for (const [id, bubble] of known) {
    const driven = isActive(bubble.summary) ? living.has(id) : null;
    const mayWait = driven === false && bubble.summary?.open_children !== 0;
    const asked = mayWait ? (await listAskedBelow(world, await loadState(world, id)))[0] : undefined;
    listed.push({ id, ...bubble, ...(asked ? { driven: null, waits_for: asked.bubbleId } : { driven }) });
  }
  return listed;
}

/** Somebody should drive it now. */
const isActive = (summary: Summary | undefined): boolean =>
  summary !== undefined && !summary.paused && drivenStates.includes(summary.state);

async function summarize(world: RecordWorld, id: string): Promise<Known> {
  try {
    const { state, trouble } = await readGood(world, id);
    if (trouble) return { trouble, problem: toTroubleFailure(id, trouble).message };
    return { summary: buildSummaryView(state) };
  } catch (error) {
    return { problem: (error as { message?: string }).message ?? String(error) };
  }
}

/** What waits for a person in all bubbles, oldest first. */
export async function buildInbox(world: RecordWorld, bubbles: readonly ListedBubble[]): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (const { id, summary } of bubbles) {
    if (summary && summary.inbox > 0) items.push(...buildInboxView(await loadState(world, id)));
  }
  return items.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
