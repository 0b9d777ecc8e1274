// What goes wrong with machines, from a seed: they are killed, paused, cut off, slow, drained, or hear no answers; and now and then
// the store is away for everybody.
import type { Host, Outage } from "./host.ts";
import type { Dice, VirtualTime } from "./virtual-time.ts";

export interface FaultOptions {
  readonly hosts: readonly Host[];
  readonly outage: Outage;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly leaseMs: number;
  readonly kill: (index: number) => void;
  /** Nothing but these goes wrong. */
  readonly kinds?: readonly FaultKind[];
}

const allKinds = [
  "kill",
  "pausedUntil",
  "cutOffUntil",
  "slowUntil",
  "losesAnswersUntil",
  "drainsUntil",
] as const;

export type FaultKind = (typeof allKinds)[number];

/** Something goes wrong with one machine, unless something is wrong with it already; true when it does. */
export function failSomewhere(options: FaultOptions): boolean {
  const { hosts, outage, time, dice, leaseMs, kill, kinds = allKinds } = options;
  const index = dice.between(0, hosts.length - 1);
  const host = hosts[index];
  if (!host?.isHealthy()) return false;
  // Half of them are over before anybody else may take the place.
  const [least, most] = dice.roll() < 0.5 ? [100, 2000] : [2000, 2 * leaseMs];
  const until = time.now + dice.between(least, most);
  const kind = dice.pick(kinds);
  if (dice.roll() < 0.02) outage.until = until;
  else if (kind === "kill") kill(index);
  else host[kind] = until;
  host.healthySince = Number.POSITIVE_INFINITY;
  return true;
}
