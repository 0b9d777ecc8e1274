// Chance that comes out the same for the same seed.

export interface Dice {
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

export function chance(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % Math.max(1, limit);
  return {
    below,
    pick(from) {
      const found = from[below(from.length)];
      if (found === undefined && from.length === 0) throw new Error("nothing to pick from");
      return found as (typeof from)[number];
    },
  };
}
