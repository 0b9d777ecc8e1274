// Reading one bubble: its state now, its state as of an earlier line, and whether anybody drives it. Nothing here
// writes, so that it works in a folder one may only look at.
import { evolve } from "../core/bubble/evolve.ts";
import type { Envelope } from "../core/model/envelope.ts";
import { refuse } from "../core/model/refusal.ts";
import type { State } from "../core/model/state.ts";
import { type Liveness, statusView } from "../core/views/status.ts";
import { load } from "../engine/handle.ts";
import type { RecordWorld } from "../engine/world.ts";
import { liveGates } from "./live-gates.ts";
import { askedBelow } from "./siblings/asked-below.ts";

/** The state now. A record without a single line is refused with the way out. */
export async function readState(world: RecordWorld, bubble: string): Promise<State> {
  const { state } = await load(world, bubble);
  return state ?? emptyRecord(bubble);
}

function emptyRecord(bubble: string): never {
  throw refuse(
    "bubble.empty",
    `the record of ${bubble} has no line yet: its creation was cut off`,
    `rm -r .pairflow/bubbles/${bubble}, then create it again`,
  );
}

export async function readStatus(world: RecordWorld, bubble: string) {
  const state = await readState(world, bubble);
  return statusView(state, await liveness(world, state));
}

/** The time now, and who drives; where nobody does, the question below that must be answered first. */
export async function liveness(world: RecordWorld, state: State): Promise<Liveness> {
  const now = world.clock.now();
  const { bubbleId: bubble } = state;
  const beat = await world.runtime.living(bubble);
  if (!beat) {
    const asked = await askedBelow(world, state);
    return asked ? { now, asked } : { now };
  }
  const { pid, seat, doing, lastSignAt } = beat;
  return {
    now,
    driver: { pid, seat, ...(doing ? { doing } : {}), ...(lastSignAt ? { lastSignAt } : {}) },
    gates: await liveGates(world, bubble),
  };
}

export type Past =
  | { readonly found: true; readonly state: State }
  | { readonly found: false; readonly head: number };

/** The fold from the first line up to `seq` and no further; the head when the log is shorter than that. */
export async function stateAt(world: RecordWorld, bubble: string, seq: number): Promise<Past> {
  let state: State | undefined;
  for await (const envelope of envelopesOf(world, bubble)) {
    state = evolve(state, envelope);
    if (envelope.seq === seq) return { found: true, state };
  }
  return { found: false, head: state?.seq ?? 0 };
}

/** Every line that counts, from the first. */
export async function* envelopesOf(world: RecordWorld, bubble: string): AsyncGenerator<Envelope> {
  for await (const batch of world.log.read(bubble)) yield* batch.envelopes;
}
