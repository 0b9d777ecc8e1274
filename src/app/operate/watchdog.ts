// The time check by hand, for a bubble without a driver.
import type { Refusal } from "../../core/model/refusal.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { findLastSign } from "../../engine/front/effects.ts";
import { loadCallState, type OperatorCall, submit } from "../trust/operator-call.ts";

/** Asks a human if a limit of the running turn has passed; `idle` says why there is nothing to ask. */
export async function checkTimeLimits(
  call: OperatorCall,
): Promise<CommandReply & { readonly idle?: Refusal }> {
  const lastSignAt = await findLastSign(call.world, await loadCallState(call));
  const handled = await submit(call, { type: "watchdog", ...(lastSignAt ? { lastSignAt } : {}) });
  const { refusal } = handled;
  const isIdle = refusal?.code === "watchdog.not-due" || refusal?.code === "watchdog.no-turn";
  return isIdle ? { ...handled, idle: refusal } : handled;
}
