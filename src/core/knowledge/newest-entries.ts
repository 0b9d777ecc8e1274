// Keeping what there is room for: whole entries, and the oldest go first.

interface Entry {
  readonly name: string;
  readonly text: string;
}

export interface FittingEntries {
  readonly kept: readonly string[];
  /** Names of what was left out. */
  readonly left: readonly string[];
  readonly size: number;
}

/** The newest entries that fit together, still oldest first. Entries are given oldest first. */
export function keepNewestFitting(entries: readonly Entry[], room: number): FittingEntries {
  let from = entries.length;
  let size = 0;
  for (const { text } of [...entries].reverse()) {
    if (size + text.length + 1 > room) break;
    size += text.length + 1;
    from--;
  }
  return {
    kept: entries.slice(from).map(({ text }) => text),
    left: entries.slice(0, from).map(({ name }) => name),
    size,
  };
}
