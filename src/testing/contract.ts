// How a port's contract is written down: scenarios under the numbered promises, run by any test runner. An
// adapter that keeps less than promised says so here with a reason, or the contract fails.
import assert from "node:assert/strict";
import { Failure } from "../ports/failure.ts";

/** A promise, or one scenario of it, that an adapter does not keep, and why. */
export interface Exception {
  readonly promise: string;
  readonly scenario?: string;
  readonly because: string;
}

export interface ContractScenario<Rig> {
  /** The whole sentence of the port, number first. */
  readonly promise: string;
  readonly scenario: string;
  run(rig: Rig): Promise<void>;
}

export interface ContractCase {
  readonly promise: string;
  readonly scenario: string;
  /** Set when the adapter has declared that it does not keep this: the case is shown and not run. */
  readonly because?: string;
  run(): Promise<void>;
}

/** Binds scenarios to one adapter: each runs on a rig of its own. An exception that excepts nothing is an error. */
export function buildContractCases<Rig extends { close(): Promise<void> }>(
  make: () => Promise<Rig>,
  scenarios: readonly ContractScenario<Rig>[],
  exceptions: readonly Exception[] = [],
): ContractCase[] {
  for (const exception of exceptions) {
    if (!scenarios.some((one) => excepts(exception, one)))
      throw new Error(`no scenario for ${exception.promise}`);
  }
  return scenarios.map((one) => {
    const because = exceptions.find((exception) => excepts(exception, one))?.because;
    const { promise, scenario } = one;
    const run = async () => {
      const rig = await make();
      try {
        await one.run(rig);
      } finally {
        await rig.close();
      }
    };
    return because === undefined ? { promise, scenario, run } : { promise, scenario, because, run };
  });
}

function excepts(exception: Exception, { promise, scenario }: ContractScenario<never>): boolean {
  const isPromise = promise.startsWith(`${exception.promise} `);
  return isPromise && (exception.scenario === undefined || exception.scenario === scenario);
}

/** Asserts that the world's refusal has this code. */
export async function assertFailsWith(code: string, run: () => Promise<unknown>): Promise<void> {
  await assert.rejects(run, (error) => error instanceof Failure && error.code === code, code);
}

/** What a rig may leave out, if it declares the scenarios that need it as exceptions. */
export function requireAbility<T>(what: T | undefined): T {
  if (what === undefined)
    throw new Error("this rig cannot do it: give it the ability, or declare an exception");
  return what;
}
