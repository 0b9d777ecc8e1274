// pairflow bubble watchdog: the time check by hand, for cron or when nobody drives.

import { stateOf } from "../../../app/trust/desk.ts";
import { handle } from "../../../engine/handle/handle.ts";
import { lastSign } from "../../../engine/watch/silence.ts";
import { openDesk, operatorFlags } from "../../operator/desk.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleWatchdog = verb({
  words: "bubble watchdog",
  about: "Check the running turn's time limits now and ask a human if one has passed",
  access: "operator",
  flags: operatorFlags,
  async run(shell, { flags }) {
    const desk = await openDesk(shell, flags);
    const state = await stateOf(desk);
    const sign = await lastSign(desk.world, state);
    const handled = await handle(desk.world, desk.bubble, {
      type: "watchdog",
      actor: { kind: "operator", via: "cli" },
      ...(sign ? { lastSignAt: sign } : {}),
    });
    const refusal = handled.refusal;
    if (refusal?.code === "watchdog.not-due" || refusal?.code === "watchdog.no-turn")
      return { text: refusal.message, json: { bubble: desk.bubble, escalated: false, why: refusal.message } };
    if (refusal) return { refusal };
    return {
      text: `Escalated: ${handled.state?.questions.at(-1)?.text ?? ""}`,
      json: { bubble: desk.bubble, escalated: true, question: handled.state?.questions.at(-1)?.id },
    };
  },
});
