// pairflow bubble watchdog: the time check by hand, for cron or when nobody drives.

import { stateOf } from "../../../app/trust/operator-call.ts";
import { handle } from "../../../engine/handle/handle.ts";
import { lastSign } from "../../../engine/watch/silence.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleWatchdog = verb({
  words: "bubble watchdog",
  about: "Check the running turn's time limits now and ask a human if one has passed",
  access: "operator",
  flags: operatorFlags,
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const state = await stateOf(call);
    const sign = await lastSign(call.world, state);
    const handled = await handle(call.world, call.bubble, {
      type: "watchdog",
      actor: { kind: "operator", via: "cli" },
      ...(sign ? { lastSignAt: sign } : {}),
    });
    const refusal = handled.refusal;
    if (refusal?.code === "watchdog.not-due" || refusal?.code === "watchdog.no-turn")
      return { text: refusal.message, json: { bubble: call.bubble, escalated: false, why: refusal.message } };
    if (refusal) return { refusal };
    return {
      text: `Escalated: ${handled.state?.questions.at(-1)?.text ?? ""}`,
      json: { bubble: call.bubble, escalated: true, question: handled.state?.questions.at(-1)?.id },
    };
  },
});
