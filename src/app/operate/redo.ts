// Taking back a step and everything that rests on it: the workflow continues from there.
import type { Handled } from "../../engine/handle/handle.ts";
import { type OperatorCall, refusedNow } from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";

/** What agents did in the step stays on the record; whoever calls sees to a driver, which may be himself. */
export async function redo(call: OperatorCall, step: string, reason: string): Promise<Handled> {
  const command = { type: "redo", step, reason } as const;
  const refusal = (await refusedNow(call, command)) ?? (await readConfigAgain(call, "redo"));
  if (refusal) return { state: undefined, envelopes: [], refusal };
  return decideAndDrive(call, command, false);
}
