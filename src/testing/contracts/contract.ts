// How a port's contract is written down: scenarios under the numbered promises, run by any test runner. An
// adapter that keeps less than promised says so here with a reason, or the contract fails.
import assert from "node:assert/strict";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { Failure } from "../../ports/failure.ts";

/** A promise, or one scenario of it, that an adapter does not keep, and why. */
export interface Exception {
  readonly promise: string;
  readonly scenario?: string;
  readonly because: string;
}

/** The whole sentence of the port, number first; a scenario of it; and what shows that it is kept. */
export type ContractScenario<Rig> = readonly [
  promise: string,
  scenario: string,
  check: (rig: Rig) => Promise<void>,
];

/** The cases of a contract for one adapter. */
export type Contract<Rig> = (
  make: () => Promise<Rig>,
  options?: { readonly exceptions?: readonly Exception[] },
) => ContractCase[];

export interface ContractCase {
  readonly promise: string;
  readonly scenario: string;
  /** Set when the adapter has declared that it does not keep this: the case is shown and not run. */
  readonly because?: string;
  run(): Promise<void>;
}

/** Each scenario runs on a rig of its own. An exception that excepts nothing is an error. */
export function defineContract<Rig extends { close(): Promise<void> }>(
  scenarios: readonly ContractScenario<Rig>[],
): Contract<Rig> {
  return (make, { exceptions = [] } = {}) => {
    const unknown = exceptions.find((exception) => !scenarios.some((one) => excepts(exception, one)));
    if (unknown) throw new Error(`no scenario for ${unknown.promise}`);
    return scenarios.map((one) => {
      const [promise, scenario, check] = one;
      const because = exceptions.find((exception) => excepts(exception, one))?.because;
      const run = async () => {
        const rig = await make();
        try {
          await check(rig);
        } finally {
          await rig.close();
        }
      };
      return omitUndefined({ promise, scenario, because, run });
    });
  };
}

function excepts(exception: Exception, [promise, scenario]: ContractScenario<never>): boolean {
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
