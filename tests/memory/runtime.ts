// Who drives which bubble, in memory: there is one process, so the test says which drivers live.
import type { Beat, Runtime } from "../../src/ports/record/records.ts";

export interface MemoryRuntimeOptions {
  readonly isAlive?: (pid: number) => boolean;
  readonly nowMs?: () => number;
}

/** A runtime of its own. Keeps R1 and R2 inside one process. */
export function createMemoryRuntime({
  isAlive = () => true,
  nowMs = Date.now,
}: MemoryRuntimeOptions = {}): Runtime {
  const beats = new Map<string, Beat>();
  const signs = new Map<string, string>();
  const notes = new Map<string, string>();
  const holderOf = (bubble: string) => {
    const beat = beats.get(bubble);
    return beat && isAlive(beat.pid) ? beat : undefined;
  };

  return {
    async claim(bubble, beat) {
      const holder = holderOf(bubble);
      if (holder && holder.driver !== beat.driver) return { ok: false, holder };
      if (!holder) beats.set(bubble, beat);
      return { ok: true };
    },
    async beat(bubble, beat) {
      if (beats.get(bubble)?.driver !== beat.driver) return false;
      beats.set(bubble, beat);
      return true;
    },
    living: async (bubble) => holderOf(bubble),
    async listLiving(bubbles) {
      const holders = bubbles.map((bubble) => [bubble, holderOf(bubble)] as const);
      return new Map(holders.flatMap(([bubble, beat]) => (beat ? [[bubble, beat]] : [])));
    },
    async release(bubble, driver) {
      if (beats.get(bubble)?.driver === driver) beats.delete(bubble);
    },
    async forget(bubble) {
      if (!holderOf(bubble)) beats.delete(bubble);
    },
    async sign(bubble) {
      signs.set(bubble, new Date(nowMs()).toISOString());
    },
    lastSign: async (bubble) => signs.get(bubble),
    async note(bubble, name, text) {
      notes.set(`${bubble}/${name}`, text);
    },
    noted: async (bubble, name) => notes.get(`${bubble}/${name}`),
  };
}
