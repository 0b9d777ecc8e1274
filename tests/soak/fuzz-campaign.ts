// The long campaign over all readers: a million inputs in all, other ones than the sample in the usual tests.
import { expect, test } from "vitest";
import { fuzz, type Target } from "../core/fuzz-run.ts";

const million = 1_000_000;
const hour = 3_600_000;

/** One test for each reader; what it took is told on standard error. */
export function campaignOf(targets: readonly (readonly [target: Target, share: number])[]): void {
  test.each(targets.map(([target, share]) => [target.name, target, share] as const))(
    "%s: whatever is written, it is read or refused, and soon",
    { timeout: hour },
    (name, target, share) => {
      const { inputs, medianMs, slowestMs, problems } = fuzz(target, million * share, million);
      const ratio = slowestMs / medianMs;
      process.stderr.write(
        `${name}: ${inputs} inputs, ${medianMs.toFixed(3)} ms each (median), the slowest ${slowestMs.toFixed(0)} ms (${ratio.toFixed(0)} ×); ${problems.length} went wrong\n`,
      );
      expect(problems.join("\n\n")).toBe("");
    },
  );
}
