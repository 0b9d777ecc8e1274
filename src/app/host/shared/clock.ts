// The clock of this process.
import { readFileSync } from "node:fs";
import { nodeClock } from "../../../adapters/clock/node.ts";
import type { Clock } from "../../../ports/system/clock.ts";

/** Tests may set the clock, and let time pass, by two numbers of milliseconds kept in a file; the second may be left out. */
export function chooseClock(env: Readonly<Record<string, string | undefined>>): Clock {
  const file = env.PAIRFLOW_CLOCK_SHIFT_FILE;
  if (!file) return nodeClock;
  const shifts = () => {
    try {
      const [set = 0, passed = 0] = readFileSync(file, "utf8").split(" ").map(Number);
      return { set, passed };
    } catch {
      return { set: 0, passed: 0 };
    }
  };
  return {
    ...nodeClock,
    now: () => {
      const { set, passed } = shifts();
      return new Date(Date.now() + set + passed).toISOString();
    },
    steady: () => nodeClock.steady() + shifts().passed,
  };
}
