// Shows a contract's cases to Vitest: one block a promise, and exceptions as skipped tests that say why.
import { describe, test } from "vitest";
import type { ContractCase } from "../../src/testing/contracts/contract.ts";

export function runContract(adapter: string, cases: readonly ContractCase[]): void {
  describe(adapter, () => {
    for (const promise of new Set(cases.map((one) => one.promise))) {
      describe(promise, () => {
        for (const one of cases.filter((other) => other.promise === promise)) {
          if (one.because) test.skip(`${one.scenario} (not kept: ${one.because})`, one.run);
          else test(one.scenario, one.run);
        }
      });
    }
  });
}
