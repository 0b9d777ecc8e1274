// Taking back a step and everything that rests on it: the workflow goes on from there.
import type { Handled } from "../../engine/handle/handle.ts";
import { type Desk, refusedNow } from "../trust/desk.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";

/** What agents did in the step stays on the record; whoever calls sees to a driver, which may be himself. */
export async function redo(desk: Desk, step: string, reason: string): Promise<Handled> {
  const command = { type: "redo", step, reason } as const;
  const refusal = (await refusedNow(desk, command)) ?? (await readConfigAgain(desk, "redo"));
  if (refusal) return { state: undefined, envelopes: [], refusal };
  return decideAndDrive(desk, command, false);
}
