// Counts what reviewers noticed, once the work they approved is done. It looks at every bubble that has not been counted: what
// was interrupted is made up for by the next bubble that ends, and each is counted once.

import { parseConventions } from "../../core/knowledge/conventions.ts";
import type { LearningFiles } from "../../core/knowledge/learning/conventions.ts";
import { collectNoticedPatterns, isCommitted } from "../../core/knowledge/learning/patterns.ts";
import { type Candidate, countConvention, type NoticedPattern } from "../../core/knowledge/learning.ts";
import type { State } from "../../core/model/state.ts";
import { findCallFor } from "../../core/questions/notices.ts";
import { Failure, ignoreFailure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { Notifier } from "../../ports/system/notifier.ts";
import { load } from "../handle/command.ts";
import type { RecordWorld } from "../world/world.ts";
import { findReport } from "./report.ts";

export interface LearningWorld extends RecordWorld {
  readonly conventions: Conventions;
  readonly notifier: Notifier;
}

/** Never fails: no bubble's end waits for it, and what could not be counted now is counted at the next occasion. */
export const learn = (world: LearningWorld): Promise<void> => ignoreFailure(() => learnFromEnded(world));

/** Counts every bubble that may be counted and was not; a human is told of what waits for them now, once. */
export async function learnFromEnded(world: LearningWorld): Promise<void> {
  const listed = await world.records.summaries();
  const { learned } = await world.conventions.read();
  const seen = new Set(learned.counted);
  const open = listed.filter(
    ({ id, summary, stale }) => !seen.has(id) && (stale || summary?.state === "DONE" || !summary),
  );
  const bubbles: Ended[] = [];
  for (const { id } of open) {
    const ended = await readEnded(world, id);
    if (ended) bubbles.push(ended);
  }
  const ids = new Set(listed.map(({ id }) => id));
  if (bubbles.length === 0 && learned.counted.every((id) => ids.has(id))) return;
  const asked = await world.conventions.change((kept) => countBubbles(kept, bubbles, ids));
  for (const candidate of asked) await tell(world, bubbles, candidate);
}

interface Ended {
  readonly bubble: string;
  readonly noticed: readonly NoticedPattern[];
  readonly state: State;
}

function countBubbles(kept: LearningFiles, bubbles: readonly Ended[], ids: ReadonlySet<string>) {
  const { accepted } = parseConventions(kept.file);
  const { learned, asked } = countConvention(kept.learned, accepted, bubbles);
  // A record that was put away needs no mark: its name may be a new bubble's.
  const counted = learned.counted.filter((id) => ids.has(id));
  return { kept: { ...kept, learned: { ...learned, counted } }, result: asked };
}

/** A bubble that is over and can be counted, with nothing noticed where its work had no result. Undefined: not now. */
async function readEnded(world: LearningWorld, bubble: string): Promise<Ended | undefined> {
  const state = await findState(world, bubble);
  if (state?.lifecycle !== "DONE") return undefined;
  const approved = await isApproved(world, state);
  return approved === undefined
    ? undefined
    : { bubble, state, noticed: approved ? collectNoticedPatterns(state) : [] };
}

/** By a human, for itself or, a child, for the bubble that took what it made. Undefined: that is still open. */
async function isApproved(world: LearningWorld, state: State): Promise<boolean | undefined> {
  const { parent, bubbleId } = state;
  if (!parent) return isCommitted(state);
  if (findReport(state)?.status !== "completed") return false;
  const above = await findState(world, parent.bubble);
  if (!above || above.lifecycle === "FAILED" || above.lifecycle === "CANCELLED") return false;
  if (above.lifecycle !== "DONE") return undefined;
  return findChildResult(above, bubbleId) === "completed" ? isApproved(world, above) : false;
}

/** The result of a child as its parent has it. */
function findChildResult({ children, parts = {} }: State, child: string): string | undefined {
  const reported = children?.each.find(({ bubble }) => bubble === child)?.report?.status;
  return reported ?? Object.values(parts).find(({ bubble }) => bubble === child)?.status;
}

/** One record that cannot be read does not keep the others from being counted. */
async function findState(world: LearningWorld, bubble: string): Promise<State | undefined> {
  try {
    return (await world.records.exists(bubble)) ? (await load(world, bubble)).state : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

async function tell(world: LearningWorld, bubbles: readonly Ended[], candidate: Candidate): Promise<void> {
  const by = bubbles.find(({ bubble }) => candidate.evidence.some((one) => one.bubble === bubble))?.state;
  const call = by ? findCallFor(by.config.notifications, "waiting-human") : undefined;
  if (!by || !call) return;
  await world.notifier.tell({
    event: "waiting-human",
    bubble: by.bubbleId,
    text: `${candidate.name}: critics of ${candidate.evidence.length} bubbles noticed it. A convention?`,
    ...call,
  });
}
