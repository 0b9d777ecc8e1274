// Time that passes only when nobody has anything left to do. What is due is woken in the order of its moment, and of its
// number where two share one: so the same seed is the same history.

interface Timer {
  readonly at: number;
  readonly number: number;
  readonly wake: () => void;
  isOff: boolean;
}

export class VirtualTime {
  now = Date.parse("2026-01-01T00:00:00.000Z");
  private readonly timers: Timer[] = [];
  private count = 0;

  iso(): string {
    return new Date(this.now).toISOString();
  }

  after(ms: number, wake: () => void): () => void {
    const timer = { at: this.now + Math.max(0, Math.ceil(ms)), number: ++this.count, wake, isOff: false };
    push(this.timers, timer);
    return () => {
      timer.isOff = true;
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const over = () => {
        cancel();
        signal?.removeEventListener("abort", over);
        resolve();
      };
      const cancel = this.after(ms, over);
      signal?.addEventListener("abort", over);
    });
  }

  /** Lets time pass until a moment; between two moments everybody does all that can be done. */
  async runUntil(end: number): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const next = this.timers[0];
      if (!next || next.at > end) break;
      pop(this.timers);
      if (next.isOff) continue;
      this.now = Math.max(this.now, next.at);
      next.wake();
      while (this.timers[0] && this.timers[0].at <= this.now) {
        const same = pop(this.timers);
        if (same && !same.isOff) same.wake();
      }
    }
    this.now = end;
  }
}

const isBefore = (one: Timer, other: Timer) =>
  one.at === other.at ? one.number < other.number : one.at < other.at;

function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(heap[at] as Timer, heap[above] as Timer)) return;
    [heap[at], heap[above]] = [heap[above] as Timer, heap[at] as Timer];
    at = above;
  }
}

function pop(heap: Timer[]): Timer | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  heap[0] = last;
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    const right = left + 1;
    let least = at;
    if (left < heap.length && isBefore(heap[left] as Timer, heap[least] as Timer)) least = left;
    if (right < heap.length && isBefore(heap[right] as Timer, heap[least] as Timer)) least = right;
    if (least === at) return first;
    [heap[at], heap[least]] = [heap[least] as Timer, heap[at] as Timer];
    at = least;
  }
}

/** Chance from a seed: the same numbers every time. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2654435761 + 0x9e3779b9) >>> 0;
  }

  /** From 0 to less than 1. */
  roll(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.roll() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
  }
}
