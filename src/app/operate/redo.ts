// Taking back a step and everything that rests on it: the workflow continues from there.
import type { CommandReply } from "../../engine/front/command.ts";
import { checkCommand, type OperatorCall, toRefusedReply } from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";
import { decideAndDrive } from "./driver.ts";

/** What agents did in the step stays on the record; whoever calls sees to a driver, which may be himself. */
export async function redoStep(call: OperatorCall, step: string, reason: string): Promise<CommandReply> {
  const command = { type: "redo", step, reason } as const;
  const refusal = (await checkCommand(call, command)) ?? (await readConfigAgain(call, "redo"));
  if (refusal) return toRefusedReply(refusal);
  return decideAndDrive(call, command, false);
}
