// Offers in the memory of one process, for tests of what stands on them.
import type { Offer, Offers, WorkingHost } from "../../src/ports/record/offers.ts";

export interface MemoryOffers {
  /** What one machine is given. */
  open(): Offers;
  /** A driver's place ran out. */
  expire(bubble: string): void;
}

interface Open {
  readonly bubble: string;
  readonly needs: readonly string[];
  /** Nobody is handed it before this moment. */
  heldUntil: number;
}

const lookMs = 10;

/** Keeps O1–O4. */
export function createMemoryOffers({ leaseMs }: { readonly leaseMs: number }): MemoryOffers {
  const queue = new Map<string, Open>();
  const hosts = new Map<string, WorkingHost>();
  const ears = new Set<(bubble: string) => void>();
  const keyOf = (bubble: string, needs: readonly string[]) => `${bubble} ${[...needs].sort().join("+")}`;

  const takeNow = (labels: readonly string[]): Offer | undefined => {
    for (const [key, open] of queue) {
      if (open.heldUntil > Date.now() || !open.needs.every((label) => labels.includes(label))) continue;
      open.heldUntil = Date.now() + leaseMs;
      return {
        bubble: open.bubble,
        done: async () => void queue.delete(key),
        giveBack: async (afterMs) => {
          open.heldUntil = Date.now() + afterMs;
        },
      };
    }
    return undefined;
  };

  const open = (): Offers => ({
    async want(bubble, needs) {
      const key = keyOf(bubble, needs);
      if (!queue.has(key)) queue.set(key, { bubble, needs, heldUntil: 0 });
    },
    async take(labels, waitMs) {
      for (const end = Date.now() + waitMs; ; ) {
        const offer = takeNow(labels);
        if (offer || Date.now() > end) return offer;
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
    listen: (onExpired, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        ears.add(onExpired);
        signal.addEventListener("abort", () => {
          ears.delete(onExpired);
          resolve();
        });
      }),
    announce: async (host) => void hosts.set(host.host, { ...host, beatAt: new Date().toISOString() }),
    withdraw: async (host) => void hosts.delete(host),
    hosts: async () => [...hosts.values()].sort((one, two) => (one.host < two.host ? -1 : 1)),
  });
  const expire = (bubble: string) => {
    for (const told of ears) told(bubble);
  };
  return { open, expire };
}
