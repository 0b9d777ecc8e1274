// Reading one bubble: its state now, its state as of an earlier line, and whether anybody drives it. Nothing here
// writes, so that it works in a folder one may only look at.
import { evolve } from "../../core/bubble/evolve.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import type { Liveness } from "../../core/views/bubble/liveness.ts";
import { buildStatusView, type StatusView } from "../../core/views/bubble/status.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { type LogTrouble, salvageHint, toTroubleFailure } from "../../ports/record/log.ts";
import { findTroubleBelow } from "./damage-below.ts";
import { readLiveGates } from "./live-gates.ts";
import { listAskedBelow } from "./questions-below.ts";

export interface BubbleReading {
  readonly state: State;
  /** Why the state is not that of the whole log; a screen that shows it says so first. */
  readonly trouble?: LogTrouble;
}

/** What the good part of the record says. A record without a single line is refused with the way out. */
export async function readGood(world: RecordWorld, bubble: string): Promise<BubbleReading> {
  const { state, trouble } = await loadGood(world, bubble);
  if (state) return { state, ...(trouble ? { trouble } : {}) };
  if (trouble) throw toTroubleFailure(bubble, trouble);
  if (!(await world.records.exists(bubble)))
    throw refuse("bubble.unknown", `there is no bubble ${bubble}`, "pairflow bubble list");
  throw refuse(
    "bubble.empty",
    `the record of ${bubble} has no line: its creation was cut off, or it was emptied`,
    `pairflow verify --id ${bubble}`,
  );
}

/** The same where only the state is asked for, and somebody else says what is wrong with the record. */
export async function loadState(world: RecordWorld, bubble: string): Promise<State> {
  return (await readGood(world, bubble)).state;
}

export async function readStatus(world: RecordWorld, bubble: string) {
  const { state, trouble } = await readGood(world, bubble);
  const view = buildStatusView(state, await readLiveness(world, state));
  const below = state.children ? await findTroubleBelow(world, state) : [];
  if (!trouble) return { view, below };
  return {
    view: trouble.kind === "damaged" ? { ...view, next: suggestSalvage(bubble) } : view,
    trouble,
    below,
  };
}

const suggestSalvage = (bubble: string): StatusView["next"] => ({
  command: salvageHint(bubble),
  says: "The record is damaged; this continues from its good part",
});

/** The time now, who drives, and which questions below must be answered before it continues. */
export async function readLiveness(world: RecordWorld, state: State): Promise<Liveness> {
  const now = world.clock.now();
  const { bubbleId: bubble } = state;
  const beat = await world.runtime.living(bubble);
  const asked = await listAskedBelow(world, state);
  const below = asked.length > 0 ? { asked } : {};
  if (!beat) return { now, ...below };
  const { pid, host, seat, doing, lastSignAt } = beat;
  return {
    now,
    ...below,
    driver: { pid, host, seat, ...(doing ? { doing } : {}), ...(lastSignAt ? { lastSignAt } : {}) },
    gates: await readLiveGates(world, bubble),
  };
}

export type Past =
  | { readonly found: true; readonly state: State }
  | { readonly found: false; readonly head: number };

/** The fold from the first line up to `seq` and no further; the head when the log is shorter than that. */
export async function foldUpTo(world: RecordWorld, bubble: string, seq: number): Promise<Past> {
  let state: State | undefined;
  for await (const envelope of readEnvelopes(world, bubble)) {
    state = evolve(state, envelope);
    if (envelope.seq === seq) return { found: true, state };
  }
  return { found: false, head: state?.seq ?? 0 };
}

/** Every line that counts, from the first. */
export async function* readEnvelopes(world: RecordWorld, bubble: string): AsyncGenerator<Envelope> {
  for await (const batch of world.log.read(bubble)) yield* batch.envelopes;
}
