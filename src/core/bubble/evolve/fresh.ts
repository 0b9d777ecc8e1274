// Writing into a state that is not finished yet.
import type { State } from "../../model/state.ts";

/**
 * A state that was made for this envelope, and that nobody else has seen yet: the fold writes into it. A state has so many
 * fields that each copy of it takes longer than what an envelope changes, so one copy has to do.
 */
export type Fresh = { -readonly [K in keyof State]: State[K] };
